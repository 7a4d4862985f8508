/**
 * Pictures to take along: each can be had as SVG and as PNG, with the colours in which it is seen,
 * white or dark ground included. Both are made here; no server is asked.
 */

const SCALE = 2; // pixels of a PNG for each of the picture
const NAME = "http://www.w3.org/2000/svg";
const KEPT = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap"],
  ...["font-family", "font-size", "font-weight", "text-anchor"],
];

/** Offer every picture in a place that has no such offer yet. @param {ParentNode} place */
export function offerPictures(place) {
  for (const svg of place.querySelectorAll("figure svg")) {
    const figure = svg.closest("figure");
    if (!figure || figure.querySelector(".take")) continue;
    const offer = document.createElement("p");
    offer.className = "take";
    offer.append("Picture: ", button("SVG", svg, saveVector), " ", button("PNG", svg, savePixels));
    figure.append(offer);
  }
}

/**
 * @param {string} kind
 * @param {Element} svg
 * @param {(svg: SVGSVGElement, name: string) => void} save
 */
function button(kind, svg, save) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = kind;
  made.setAttribute("aria-label", `Save the picture as ${kind}`);
  made.addEventListener("click", () => save(/** @type {SVGSVGElement} */ (svg), named(svg)));
  return made;
}

/** Name a file by the heading above a picture. @param {Element} svg */
function named(svg) {
  const whole = svg.closest("article, section");
  const title = whole?.getAttribute("aria-label") ?? whole?.querySelector("h2, h3")?.textContent ?? "picture";
  return title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 80) || "picture";
}

/** Return a copy that looks alike without a style sheet. @param {SVGSVGElement} svg */
function copied(svg) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const parts = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((part, i) => {
    const seen = getComputedStyle(parts[i]);
    part.removeAttribute("class");
    for (const name of KEPT) part.setAttribute(name, seen.getPropertyValue(name));
  });
  const box = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", NAME);
  copy.setAttribute("width", String(box.width));
  copy.setAttribute("height", String(box.height));
  const ground = document.createElementNS(NAME, "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", groundOf(svg));
  copy.prepend(ground);
  return copy;
}

/** Return the colour that a picture is seen on. @param {Element | null} element @returns {string} */
function groundOf(element) {
  if (!element) return "white";
  const colour = getComputedStyle(element).backgroundColor;
  return /^rgba\(.*, 0\)$|^transparent$/.test(colour) ? groundOf(element.parentElement) : colour;
}

/** @param {SVGSVGElement} svg */
function written(svg) {
  return new Blob([new XMLSerializer().serializeToString(copied(svg))], { type: "image/svg+xml" });
}

/** @param {SVGSVGElement} svg @param {string} name */
function saveVector(svg, name) {
  save(written(svg), `${name}.svg`);
}

/** @param {SVGSVGElement} svg @param {string} name */
async function savePixels(svg, name) {
  const address = URL.createObjectURL(written(svg));
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  const { width, height } = svg.viewBox.baseVal;
  canvas.width = Math.ceil(SCALE * width);
  canvas.height = Math.ceil(SCALE * height);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  canvas.toBlob((blob) => blob && save(blob, `${name}.png`), "image/png");
}

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
