// Accepting an invitation: who comes, and the token that they get, shown once.

function startInvitation() {
  const root = document.getElementById("assay");
  root.classList.add("assay");
  const token = location.hash.slice(1);
  const email = el("input", { type: "email", id: "assay-email", autocomplete: "email", required: true });
  const name = el("input", { type: "text", id: "assay-person", autocomplete: "name", maxlength: "64", required: true });
  const result = el("div", { "aria-live": "polite" });
  const button = el("button", { type: "button", class: "act" }, "Accept");
  const send = async () => {
    const body = JSON.stringify({ invitation: token, email: email.value, name: name.value.trim() });
    const headers = { "content-type": "application/json", accept: "application/json" };
    try {
      const response = await fetch("/v1/invitations/accept", { method: "POST", headers, body, cache: "no-store" });
      const answer = await response.json();
      if (answer.ok !== true) {
        result.replaceChildren(problem(answer.error ?? {}));
        return;
      }
      form.replaceChildren(el("p", null, "You are in the team ", el("strong", null, answer.name), "."),
        answer.session ? el("p", null, "This token shows who you are. It is shown this once: keep it as you keep a password.") : null,
        answer.session ? el("code", { class: "code", tabindex: "0" }, answer.session) : null);
    } catch (error) {
      result.replaceChildren(problem({ code: "UNREACHABLE", message: String(error.message ?? error) }));
    }
  };
  const form = asking("Invitation", button, send,
    el("p", null, "The invitation is for one e-mail address and can be used once. The address is compared and not kept."),
    el("div", { class: "field" }, el("label", { for: "assay-email" }, "The address that was invited"), email),
    el("div", { class: "field" }, el("label", { for: "assay-person" }, "Your name, as the team sees it"), name),
    el("div", { class: "row" }, button), result);
  root.replaceChildren(el("main", { class: "sheet" }, el("h1", null, "An invitation to a team"),
    token === "" ? el("p", { class: "problem" }, "The address lacks the part behind the number sign. Use the link as it was sent.") : form));
}

startInvitation();
