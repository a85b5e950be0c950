// Keys, the marks in the passage, and the selection that goes into an editor. Without it every form still works.
"use strict";

const items = [...document.querySelectorAll(".item")];
let current = null;
let field = null; // the span field that a selection goes into

// what only one of two versions covers is marked more weakly
function markPassage(item) {
  const number = item.id.replace("item-", "");
  const pieces = [...document.querySelectorAll("#passage [data-spans]")].map((piece) => {
    const spans = piece.dataset.spans.split(" ").map((name) => name.split("-")).filter(([of]) => of === number);
    return { piece, spans };
  });
  for (const side of ["cause", "effect"]) {
    const versions = (spans) => new Set(spans.filter((name) => name[2] === side).map((name) => name[1]));
    const all = versions(pieces.flatMap(({ spans }) => spans));
    for (const { piece, spans } of pieces) {
      const found = versions(spans);
      piece.classList.toggle(side, found.size > 0);
      piece.classList.toggle(`${side}-partly`, found.size > 0 && found.size < all.size);
    }
  }
}

function focusItem(item) {
  if (!item) return;
  choose(item);
  item.focus({ preventScroll: true });
  const passage = document.getElementById("passage");
  const hidden = passage ? passage.getBoundingClientRect().bottom : 0;
  const box = item.getBoundingClientRect();
  if (box.top < hidden || box.bottom > window.innerHeight) {
    window.scrollBy({ top: box.top - hidden - 12 });
  }
}

function choose(item) {
  if (item === current) return;
  current?.classList.remove("current");
  current = item;
  item.classList.add("current");
  markPassage(item);
}

function step(by) {
  const place = items.indexOf(current) + by;
  focusItem(items[Math.max(0, Math.min(items.length - 1, place))]);
}

function openEditor(details) {
  if (!details) return;
  details.open = true;
  const input = details.querySelector("input:not([type=hidden])");
  input.focus();
  input.select();
}

function act(key) {
  if (!current) return;
  const found = current.querySelector(`[data-key="${key}"]`);
  if (found instanceof HTMLDetailsElement) openEditor(found);
  else found?.click();
}

const follow = (id) => document.getElementById(id)?.click();

const keys = {
  j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
  1: () => act("1"), 2: () => act("2"), b: () => act("b"), e: () => act("e"), d: () => act("d"), u: () => act("u"),
  a: () => openEditor(document.getElementById("add")),
  n: () => follow("following"), ArrowRight: () => follow("following"),
  p: () => follow("before"), ArrowLeft: () => follow("before"),
  q: () => follow("queue"), Enter: () => follow("continue"),
  "?": () => document.getElementById("keys").showModal(),
};

document.addEventListener("keydown", (event) => {
  const target = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") {
    const details = target.closest?.("details[open]");
    if (details) {
      details.open = false;
      focusItem(current);
    }
    return;
  }
  if (target.closest?.("input, select, textarea")) return;
  if (event.key === "Enter" && target.closest?.("a, button, summary")) return;
  if (Object.hasOwn(keys, event.key)) {
    event.preventDefault();
    keys[event.key]();
  }
});

for (const item of items) {
  item.addEventListener("focusin", () => choose(item));
  item.addEventListener("click", () => choose(item));
}

for (const input of document.querySelectorAll("[data-span]")) {
  input.addEventListener("focus", () => { field = input; });
}

document.getElementById("passage")?.addEventListener("mouseup", () => {
  const text = window.getSelection().toString().replace(/\s+/g, " ").trim();
  if (text && field?.closest("details").open) {
    field.value = text;
    field.focus();
  }
});

for (const button of document.querySelectorAll("[data-opens]")) {
  button.addEventListener("click", () => document.getElementById(button.dataset.opens).showModal());
}

// one decision is sent once, however often a key is hit
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

const problem = document.querySelector(".problem");
const opened = document.querySelector(".item details[open]");
const wanted = opened?.closest(".item") ?? document.querySelector(".item:target");
if (items.length) focusItem(wanted ?? items[Number(document.getElementById("items").dataset.first)]);
if (problem && opened) openEditor(opened);
