// Makes elements of HTML and SVG, and the words for numbers on the table.

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== false) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function svg(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
export const signed = (chips) => (chips > 0 ? `+${chips}` : String(chips).replace("-", "−"));
