//! The routes of the tools over REST, read from the table that serves them.

use serde_json::{Map, Value};

const TABLE: &str = "crates/rest/src/table.rs";

/// One route of a tool.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Route {
    pub(super) method: &'static str,
    pub(super) path: String,
    tool: String,
}

/// Every route of the table.
pub(super) fn routes(tree: &crate::tree::Tree) -> Result<Vec<Route>, String> {
    let text = tree.text(TABLE).ok_or_else(|| format!("{TABLE} is not there"))?;
    let table = text.split_once("const ROUTES").and_then(|it| it.1.split_once("\n];"));
    let (table, _) = table.ok_or_else(|| format!("{TABLE} holds no table of routes"))?;
    Ok(read(table))
}

/// The calls of `get` and `post`, each with what stands before it in its own entry.
fn read(table: &str) -> Vec<Route> {
    let mut found = Vec::new();
    let mut rest = table;
    loop {
        let starts = ["get(\"", "post(\""].map(|it| rest.find(it).map(|at| (at, it)));
        let Some((at, opening)) = starts.into_iter().flatten().min() else { return found };
        let (before, after) = (rest.get(..at), rest.get(at + opening.len()..));
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        let mut quoted = after.split('"');
        let (path, tool) = (quoted.next(), quoted.nth(1));
        let method = match opening {
            _ if before.contains("\"delete\"") => "DELETE",
            "get(\"" => "GET",
            _ => "POST",
        };
        if let (Some(path), Some(tool)) = (path, tool) {
            found.push(Route { method, path: path.to_owned(), tool: tool.to_owned() });
        }
        rest = after;
    }
}

impl Route {
    pub(super) fn is_of(&self, tool: &str) -> bool {
        self.tool == tool
    }

    /// The names in the path.
    fn named(&self) -> impl Iterator<Item = &str> {
        self.path.split('{').skip(1).filter_map(|it| it.split_once('}').map(|it| it.0))
    }

    /// The command that makes the call, where this route takes all of its arguments.
    pub(super) fn command(&self, arguments: &Map<String, Value>) -> Option<String> {
        let mut path = self.path.clone();
        let mut left = arguments.clone();
        for name in self.named() {
            let value = left.remove(name)?;
            path = path.replace(&format!("{{{name}}}"), value.as_str()?);
        }
        let url = format!("http://127.0.0.1:8725{path}");
        match self.method {
            "GET" if left.is_empty() => Some(format!("curl -s {url}")),
            // A pair of units is what a query can hold.
            "GET" if path.ends_with("/bridge") => {
                let pairs = left.iter().map(|(name, it)| Some(format!("{name}={}", it.as_str()?)));
                let pairs: Vec<String> = pairs.collect::<Option<_>>()?;
                Some(format!("curl -s '{url}?{}'", pairs.join("&")))
            }
            "DELETE" if left.is_empty() => Some(format!("curl -s -X DELETE {url}")),
            "POST" => {
                let body = Value::Object(left).to_string().replace('\'', "'\\''");
                Some(format!("curl -s {url} -d '{body}'"))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::read;

    const TABLE: &str = r#"
    post("/v1/a", "one", X),
    Route { body: Body::Optional, ..post("/v1/b/{c}", "two", X) },
    get("/v1/d/{e}", "three", X),
    Route {
        query: &["f", "g"],
        ..get("/v1/h/bridge", "three", X)
    },
    Route {
        method: "delete",
        ..post("/v1/i/{j}", "four", X)
    },
    get("/v1/k", "five", X),"#;

    #[test]
    fn routes_are_read_from_the_table() {
        let found = read(TABLE);
        let shown: Vec<String> =
            found.iter().map(|it| format!("{} {} {}", it.method, it.path, it.tool)).collect();
        let expected = [
            "POST /v1/a one",
            "POST /v1/b/{c} two",
            "GET /v1/d/{e} three",
            "GET /v1/h/bridge three",
            "DELETE /v1/i/{j} four",
            "GET /v1/k five",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_command_holds_every_argument() {
        let found = read(TABLE);
        for (route, arguments, command) in [
            (0, json!({"x": "it's"}), Some("/v1/a -d '{\"x\":\"it'\\''s\"}'")),
            (1, json!({"c": "d", "x": 1}), Some("/v1/b/d -d '{\"x\":1}'")),
            (1, json!({"x": 1}), None),
            (2, json!({"e": "f"}), Some("/v1/d/f")),
            (2, json!({"e": "f", "x": 1}), None),
            (5, json!({}), Some("/v1/k")),
        ] {
            let arguments = arguments.as_object().unwrap();
            let expected = command.map(|it| format!("curl -s http://127.0.0.1:8725{it}"));
            assert_eq!(found[route].command(arguments), expected, "{route} {arguments:?}");
        }
        let pair = json!({"f": "mi", "g": "km"});
        let query = found[3].command(pair.as_object().unwrap());
        assert_eq!(query.unwrap(), "curl -s 'http://127.0.0.1:8725/v1/h/bridge?f=mi&g=km'");
        let gone = found[4].command(json!({"j": "k"}).as_object().unwrap());
        assert_eq!(gone.unwrap(), "curl -s -X DELETE http://127.0.0.1:8725/v1/i/k");
    }
}
