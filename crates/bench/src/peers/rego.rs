//! regorus: a policy whose set `passed` holds the names of the rules that hold, compiled once; by
//! the interpreter, and by the register machine.

use regorus::languages::rego::compiler::Compiler;
use regorus::rvm::RegoVM;
use regorus::{CompiledPolicy, Engine, Value};

use crate::failure::Failure;
use crate::policy::{Facts, Form, Policy};

const ENTRY: &str = "data.bench.passed";

/// The interpreter of a compiled policy.
pub(crate) struct Rego {
    policy: CompiledPolicy,
    facts: Value,
}

impl Rego {
    pub(crate) const NAME: &'static str = "regorus 0.14.1 compiled";

    pub(crate) fn new(policy: &Policy, facts: Facts) -> Result<Self, Failure> {
        Ok(Self { policy: compiled(policy)?, facts: Value::from_json_str(&facts.to_json())? })
    }

    pub(crate) fn holding(&self) -> Result<usize, Failure> {
        passed(&self.policy.eval_with_input(self.facts.clone())?)
    }

    pub(crate) fn answer(&self, facts: &str) -> Result<Vec<u8>, Failure> {
        let passed = self.policy.eval_with_input(Value::from_json_str(facts)?)?;
        let mut bytes = Vec::with_capacity(256);
        serde_json::to_writer(&mut bytes, &passed)?;
        Ok(bytes)
    }
}

/// The register machine.
pub(crate) struct RegoMachine {
    machine: RegoVM,
    facts: Value,
}

impl RegoMachine {
    pub(crate) const NAME: &'static str = "regorus 0.14.1 register machine";

    pub(crate) fn new(policy: &Policy, facts: Facts) -> Result<Self, Failure> {
        let program = Compiler::compile_from_policy(&compiled(policy)?, &[ENTRY])?;
        let mut machine = RegoVM::new();
        machine.load_program(program);
        Ok(Self { machine, facts: Value::from_json_str(&facts.to_json())? })
    }

    pub(crate) fn holding(&mut self) -> Result<usize, Failure> {
        self.machine.set_input(self.facts.clone());
        passed(&self.machine.execute()?)
    }

    pub(crate) fn answer(&mut self, facts: &str) -> Result<Vec<u8>, Failure> {
        self.machine.set_input(Value::from_json_str(facts)?);
        let passed = self.machine.execute()?;
        let mut bytes = Vec::with_capacity(256);
        serde_json::to_writer(&mut bytes, &passed)?;
        Ok(bytes)
    }
}

fn compiled(policy: &Policy) -> Result<CompiledPolicy, Failure> {
    let texts = policy.texts(|rule| {
        let (name, limit) = (&rule.name, rule.limit);
        match rule.form {
            Form::Cap => format!("passed contains \"{name}\" if input.amount <= {limit}\n"),
            Form::Receipt => format!(
                "passed contains \"{name}\" if not input.amount > {limit}\n\
                 passed contains \"{name}\" if {{ input.amount > {limit}; input.has_receipt }}\n"
            ),
        }
    });
    let text = format!("package bench\nimport rego.v1\n{}", texts.concat());
    let mut engine = Engine::new();
    engine.add_policy("bench.rego".to_owned(), text)?;
    Ok(engine.compile_with_entrypoint(&ENTRY.into())?)
}

fn passed(value: &Value) -> Result<usize, Failure> {
    Ok(value.as_set()?.len())
}
