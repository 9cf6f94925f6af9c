// What a report can do where scripts run: find words, open and close all. Without it everything is there to read all the same.
export const SCRIPT = `
(() => {
  const tools = document.querySelector(".tools");
  const field = document.querySelector("input");
  const said = document.querySelector("[data-found]");
  const turns = [...document.querySelectorAll("details.turn")];
  tools.hidden = false;
  const all = (isOpen) => { for (const one of document.querySelectorAll("details")) one.open = isOpen; };
  document.querySelector("[data-open]").addEventListener("click", () => all(true));
  document.querySelector("[data-close]").addEventListener("click", () => all(false));
  let waiting;
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const words = field.value.trim().toLowerCase();
      let found = 0;
      for (const turn of turns) {
        const has = words === "" || turn.textContent.toLowerCase().includes(words);
        turn.hidden = !has;
        if (has) found++;
      }
      said.textContent = words === "" ? "" : found + " of " + turns.length + " turns";
    }, 150);
  });
  const open = () => {
    for (let at = document.getElementById(location.hash.slice(1)); at; at = at.parentElement)
      if (at.tagName === "DETAILS") { at.open = true; at.hidden = false; }
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  };
  addEventListener("hashchange", open);
  if (location.hash) open();
})();
`;
