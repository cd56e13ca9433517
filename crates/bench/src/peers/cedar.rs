//! cedar-policy: one `permit` for each rule; those that hold are the reasons of the decision.

use cedar_policy::{
    Authorizer, Context, Entities, EntityUid, Policy as CedarPolicy, PolicyId, PolicySet, Request,
};
use serde::ser::{SerializeSeq as _, Serializer as _};

use crate::failure::Failure;
use crate::policy::{Facts, Form, Policy};

pub(crate) struct Cedar {
    authorizer: Authorizer,
    policies: PolicySet,
    entities: Entities,
    anybody: EntityUid,
    request: Request,
}

impl Cedar {
    pub(crate) const NAME: &'static str = "cedar-policy 4.14.1";

    pub(crate) fn new(policy: &Policy, facts: Facts) -> Result<Self, Failure> {
        let texts = policy.texts(|rule| {
            let limit = rule.limit;
            let condition = match rule.form {
                Form::Cap => format!("context.amount <= {limit}"),
                Form::Receipt => format!("!(context.amount > {limit}) || context.has_receipt"),
            };
            format!("permit(principal, action, resource) when {{ {condition} }};")
        });
        let mut policies = PolicySet::new();
        for (rule, text) in policy.rules.iter().zip(texts) {
            policies.add(CedarPolicy::parse(Some(PolicyId::new(&rule.name)), text)?)?;
        }
        let anybody: EntityUid = "Any::\"any\"".parse()?;
        let request = request(&anybody, &facts.to_json())?;
        let entities = Entities::empty();
        Ok(Self { authorizer: Authorizer::new(), policies, entities, anybody, request })
    }

    pub(crate) fn holding(&self) -> usize {
        let response = self.authorizer.is_authorized(&self.request, &self.policies, &self.entities);
        response.diagnostics().reason().count()
    }

    pub(crate) fn answer(&self, facts: &str) -> Result<Vec<u8>, Failure> {
        let request = request(&self.anybody, facts)?;
        let response = self.authorizer.is_authorized(&request, &self.policies, &self.entities);
        let mut bytes = Vec::with_capacity(256);
        let mut serializer = serde_json::Serializer::new(&mut bytes);
        let mut list = serializer.serialize_seq(None)?;
        for name in response.diagnostics().reason() {
            let name: &str = name.as_ref();
            list.serialize_element(name)?;
        }
        list.end()?;
        Ok(bytes)
    }
}

fn request(anybody: &EntityUid, facts: &str) -> Result<Request, Failure> {
    let context = Context::from_json_str(facts, None)?;
    Ok(Request::new(anybody.clone(), anybody.clone(), anybody.clone(), context, None)?)
}
