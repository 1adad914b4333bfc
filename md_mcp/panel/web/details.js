// The pane beside the graph: what there is to know about one node.
// Texts of documents only ever become text nodes.

const number = (value) => value.toLocaleString("en");

// `note` is the server's answer, null for a missing file; `sources` are the documents
// that link to that, each with a count; `go` is called with the path of a chosen note.
export function describe(pane, node, note, sources, go) {
  pane.replaceChildren(closing(() => go(null)), text("h2", node.title));
  if (node.kind === "missing") describeMissing(pane, node, sources, go);
  else if (node.kind === "section") describeSection(pane, node, note, go);
  else describeDocument(pane, note, go);
}

function describeMissing(pane, node, sources, go) {
  pane.append(
    text("p", node.path, "path"),
    text("p", "There is no such file. These documents link to it, so often:"),
    list(sources.map(({ path, count }) => row(link(path, path, go), number(count)))),
  );
}

function describeDocument(pane, note, go) {
  pane.append(
    text("p", note.path, "path"),
    text("p", `${number(note.lines)} lines · ${number(note.tokens)} tokens`, "size"),
    text("h3", `Links to (${number(note.out.length)})`), list(note.out.map((out) => outgoing(out, go))),
    text("h3", `Linked from (${number(note.into.length)})`), list(note.into.map((path) => row(link(path, path, go), ""))),
    text("h3", `Sections (${number(note.sections.length)})`), list(note.sections.map(sectionRow)),
  );
}

function describeSection(pane, node, note, go) {
  pane.append(text("p", note.path, "path"));
  const section = note.sections.find(({ lines }) => lines[0] === node.line);
  if (!section) {
    pane.append(text("p", "The section is no longer there: reload the page."));
    return;
  }
  const [first, last] = section.lines;
  const out = note.out.filter(({ line }) => first <= line && line <= last);
  pane.append(
    text("p", section.path, "path"),
    text("p", `lines ${first}-${last} · ${number(section.tokens)} tokens`, "size"),
    text("h3", `Links to (${number(out.length)})`), list(out.map((each) => outgoing(each, go))),
    text("h3", "Document"), list([row(link(note.path, note.path, go), "")]),
  );
}

function sectionRow({ path, lines: [first, last], tokens }) {
  return row(text("span", path), `L${first}-${last} · ${number(tokens)}`);
}

function outgoing({ written, line, broken, path }, go) {
  const left = path === null ? text("span", written) : link(written, path, go);
  const made = row(left, broken ? `broken · line ${line}` : `line ${line}`);
  if (broken) made.className = "broken";
  return made;
}

function link(shown, path, go) {
  const made = text("button", shown);
  made.addEventListener("click", () => go(path));
  return made;
}

function row(left, right) {
  const made = document.createElement("li");
  made.append(left, text("span", right));
  return made;
}

function list(rows) {
  const made = document.createElement("ul");
  made.append(...(rows.length ? rows : [text("li", "none")]));
  return made;
}

function text(tag, content, className = "") {
  const made = document.createElement(tag);
  made.textContent = content;
  made.className = className;
  return made;
}

function closing(close) {
  const button = text("button", "✕", "close");
  button.setAttribute("aria-label", "Close");
  button.addEventListener("click", close);
  return button;
}
