//! cel: programs compiled once, one root context that is kept.

use std::sync::Arc;

use cel::{Context, Env, Program, Value};
use serde_json::Value as Json;

use super::write_verdicts;
use crate::failure::Failure;
use crate::policy::{Facts, Form, Policy};

pub(crate) struct Cel {
    rules: Vec<(String, Program)>,
    context: Context<'static, 'static>,
    /// A context without variables, whose children hold those of one answer.
    root: Context<'static, 'static>,
}

impl Cel {
    pub(crate) const NAME: &'static str = "cel 0.15.0";

    pub(crate) fn new(policy: &Policy, facts: Facts) -> Result<Self, Failure> {
        let environment = Arc::new(Env::stdlib());
        let texts = policy.texts(|rule| match rule.form {
            Form::Cap => format!("amount <= {}", rule.limit),
            Form::Receipt => format!("!(amount > {}) || has_receipt", rule.limit),
        });
        let names = policy.rules.iter().map(|it| it.name.clone());
        let rules: Result<Vec<_>, Failure> =
            names.zip(texts).map(|(name, it)| Ok((name, environment.compile(&it)?))).collect();
        let mut context = Context::with_env(Arc::clone(&environment));
        bind(&mut context, &facts.to_json())?;
        Ok(Self { rules: rules?, context, root: Context::with_env(environment) })
    }

    pub(crate) fn holding(&self) -> Result<usize, Failure> {
        let mut holding = 0;
        for (_, rule) in &self.rules {
            holding += usize::from(truth(rule, &self.context)?);
        }
        Ok(holding)
    }

    pub(crate) fn answer(&self, facts: &str) -> Result<Vec<u8>, Failure> {
        let mut context = self.root.new_inner_scope();
        bind(&mut context, facts)?;
        let mut verdicts = Vec::with_capacity(self.rules.len());
        for (name, rule) in &self.rules {
            verdicts.push((name.as_str(), truth(rule, &context)?));
        }
        write_verdicts(verdicts)
    }
}

fn bind(context: &mut Context<'_, '_>, facts: &str) -> Result<(), Failure> {
    let facts: serde_json::Map<String, Json> = serde_json::from_str(facts)?;
    for (name, value) in facts {
        let value = match value {
            Json::Bool(value) => Value::Bool(value),
            Json::Number(value) => Value::Int(value.as_i64().ok_or("a number is no integer")?),
            _ => return Err(Failure(format!("`{name}` is neither number nor truth value"))),
        };
        context.add_variable_from_value(name, value);
    }
    Ok(())
}

fn truth(rule: &Program, context: &Context<'_, '_>) -> Result<bool, Failure> {
    match rule.execute(context)? {
        Value::Bool(value) => Ok(value),
        other => Err(Failure(format!("{other:?} is no truth value"))),
    }
}
