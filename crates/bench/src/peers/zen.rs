//! zen-expression: expressions compiled to bytecode once, run by one virtual machine.

use zen_expression::expression::Standard;
use zen_expression::vm::VM;
use zen_expression::{Expression, Scope, Variable, compile_expression};

use super::write_verdicts;
use crate::failure::Failure;
use crate::policy::{Facts, Form, Policy};

pub(crate) struct Zen {
    rules: Vec<(String, Expression<Standard>)>,
    scope: Scope,
    machine: VM,
}

impl Zen {
    pub(crate) const NAME: &'static str = "zen-expression 2.1.6";

    pub(crate) fn new(policy: &Policy, facts: Facts) -> Result<Self, Failure> {
        let texts = policy.texts(|rule| match rule.form {
            Form::Cap => format!("amount <= {}", rule.limit),
            Form::Receipt => format!("not (amount > {}) or has_receipt", rule.limit),
        });
        let names = policy.rules.iter().map(|it| it.name.clone());
        let rules: Result<Vec<_>, Failure> =
            names.zip(texts).map(|(name, it)| Ok((name, compile_expression(&it)?))).collect();
        let scope = Scope::new(read(&facts.to_json())?);
        Ok(Self { rules: rules?, scope, machine: VM::new() })
    }

    pub(crate) fn holding(&mut self) -> Result<usize, Failure> {
        let mut holding = 0;
        for (_, rule) in &self.rules {
            holding += usize::from(truth(rule, &self.scope, &mut self.machine)?);
        }
        Ok(holding)
    }

    pub(crate) fn answer(&mut self, facts: &str) -> Result<Vec<u8>, Failure> {
        let scope = Scope::new(read(facts)?);
        let mut verdicts = Vec::with_capacity(self.rules.len());
        for (name, rule) in &self.rules {
            verdicts.push((name.as_str(), truth(rule, &scope, &mut self.machine)?));
        }
        write_verdicts(verdicts)
    }
}

fn read(facts: &str) -> Result<Variable, Failure> {
    Ok(serde_json::from_str(facts)?)
}

fn truth(rule: &Expression<Standard>, scope: &Scope, machine: &mut VM) -> Result<bool, Failure> {
    match rule.evaluate_with_scope(scope, machine)? {
        Variable::Bool(value) => Ok(value),
        other => Err(Failure(format!("{} is no truth value", other.type_name()))),
    }
}
