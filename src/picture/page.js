"use strict";
for (const line of document.querySelectorAll(".line")) {
  const frames = line.querySelectorAll("g.f");
  const turns = line.querySelectorAll(".turns button");
  let at = 0;
  const show = (n) => {
    at = Math.max(0, Math.min(n, frames.length - 1));
    frames.forEach((frame, i) => frame.classList.toggle("on", i === at));
    turns.forEach((turn, i) => {
      if (i !== at) return turn.removeAttribute("aria-current");
      turn.setAttribute("aria-current", "step");
      const list = turn.closest(".turns");
      const top = turn.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top + turn.offsetHeight > list.scrollTop + list.clientHeight) {
        list.scrollTop = top - list.clientHeight / 2;
      }
    });
  };
  const steps = { first: () => 0, back: () => at - 1, on: () => at + 1, last: () => frames.length };
  for (const button of line.querySelectorAll(".steps button")) {
    button.addEventListener("click", () => show(steps[button.dataset.step]()));
  }
  turns.forEach((turn, i) => turn.addEventListener("click", () => show(i)));
  line.addEventListener("keydown", (event) => {
    const key = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    if (!key || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(steps[key]());
  });
  show(0);
}
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
