// The output, and which of its lines are marked or selected. All that comes from outside becomes text, never markup.

// ---- making elements ----

const make = (tag, name, ...inside) => {
  const element = document.createElement(tag);
  if (name) element.className = name;
  for (const part of inside) if (part !== null && part !== undefined) element.append(part);
  return element;
};
const button = (name, click, ...inside) => {
  const element = make('button', name, ...inside);
  element.type = 'button';
  element.addEventListener('click', click);
  return element;
};
const colour = (element, file) => {
  if (file === NONE) return element;
  element.classList.add('hued');
  element.style.setProperty('--hue', colours[file].hue);
  if (colours[file].soft) element.classList.add('soft');
  return element;
};
// A line of YAML with its key, its comment or its code told apart.
const yaml = text => {
  const found = /^(\s*(?:- )*)((?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#'":{[][^:#]*?|[^\s#'":{[][^#]*?[^\s:])(?=:(?:\s|$)))?(.*)$/s.exec(text);
  return [found[1], found[2] ? make('span', 'key', found[2]) : null, ...coded(found[3])];
};
const coded = text => {
  const at = text.search(/#[@!]/);
  return at < 0 ? [text] : [text.slice(0, at), make('span', text[at + 1] === '!' ? 'remark' : 'code', text.slice(at))];
};
const placeText = place => `${names[fileOf[placeSource(place)]]}:${placeLine(place)}:${places[place * 5 + 2]}`;
// A place that shows the lines it made.
const placeButton = (place, find = () => linesMadeAt(place), what = `made by ${placeText(place)}`, flag = NONE) => {
  const dot = colour(make('i', 'dot'), fileOf[placeSource(place)]);
  const shown = button('place', () => mark(find(), what), dot, make('span', '', flag === NONE ? placeText(place) : texts[flag]));
  shown.dataset.place = placeText(place);
  if (isSmall) shown.append(make('span', 'size', lineCount(find().length)));
  shown.title = 'Show the lines of the output';
  return shown;
};
const excerpt = (place, around = 2) => {
  const source = placeSource(place), first = placeLine(place), last = Math.max(first, places[place * 5 + 3]);
  const block = make('pre', 'excerpt');
  for (let line = first - around; line <= Math.min(last, first + 8) + around; line++) {
    const text = sourceLine(source, line);
    if (text === undefined || (text === '' && (line < first || line > last))) continue;
    const row = make('div', line >= first && line <= last ? 'row here' : 'row', make('span', 'number', String(line)));
    const characters = Array.from(text);
    if (line === first && first === last) {
      const from = places[place * 5 + 2] - 1, to = places[place * 5 + 4] - 1;
      const middle = make('mark', '', characters.slice(from, to).join(''));
      const after = characters.slice(Math.max(from, to)).join('');
      row.append(make('span', '', characters.slice(0, from).join(''), to > from ? middle : null, ...coded(after)));
    } else {
      row.append(make('span', '', ...yaml(text)));
    }
    block.append(row);
  }
  return block.childElementCount ? colour(block, fileOf[source]) : null;
};

// ---- the output ----

const output = $('output');
const CHUNK = 200;
const blocks = [];
// So many lines are in the page all the time; of more, those that are near.
const isWhole = count <= 3000;

const row = line => {
  const label = lineFile[line] !== NONE && (line === 1 || lineFile[line - 1] !== lineFile[line]) ? names[lineFile[line]] : null;
  const element = make('div', 'line', make('span', 'number', String(line)),
    make('code', '', ...(isSeparator(line) ? [make('span', 'remark', '---')] : yaml(lines[line - 1]))),
    label && make('span', 'from', label));
  element.id = `line-${line}`;
  element.dataset.line = line;
  element.setAttribute('role', 'treeitem');
  element.setAttribute('aria-level', '2');
  if (selected === line) choose(element, true);
  if (marks) element.classList.toggle('hit', marks.set[line] === 1);
  return colour(element, lineFile[line]);
};
const fill = chunk => {
  if (chunk.isFull) return;
  const [from, to] = chunk.lines, all = document.createDocumentFragment();
  for (let line = from; line <= to; line++) all.append(row(line));
  chunk.replaceChildren(all);
  chunk.isFull = true;
};
const empty = chunk => {
  chunk.replaceChildren();
  chunk.isFull = false;
};
const observer = isWhole ? null : new IntersectionObserver(seen => {
  for (const {target, isIntersecting} of seen) isIntersecting ? fill(target) : empty(target);
}, {root: output, rootMargin: '800px 0px'});

const chunkOf = line => {
  const block = blocks[lineDocument[line]];
  return block && block.chunks[Math.floor((line - spans[lineDocument[line]][0]) / CHUNK)];
};

function build() {
  documents.forEach(([name, file, number], index) => {
    const [from, to] = spans[index], slash = name.indexOf('/');
    const isNamed = slash > 0 && name !== file && !name.startsWith(`${file}#`);
    const title = isNamed
      ? [make('span', 'kind', name.slice(0, slash)), make('span', 'name', name.slice(slash + 1))]
      : [make('span', 'name', name)];
    const heading = button('heading', () => { fold(index); select(-1 - index); }, make('span', 'arrow'), ...title,
      isNamed ? make('span', 'file', number === 1 ? file : `${file}#${number}`) : null,
      make('span', 'size', lineCount(to - from + 1 - (isSeparator(from) ? 1 : 0))));
    heading.id = `document-${index}`;
    heading.tabIndex = -1;
    heading.setAttribute('role', 'treeitem');
    heading.setAttribute('aria-level', '1');
    heading.setAttribute('aria-expanded', 'true');
    const body = make('div', 'body'), chunks = [];
    body.setAttribute('role', 'group');
    for (let first = from; first <= to; first += CHUNK) {
      const chunk = make('div', 'chunk');
      chunk.lines = [first, Math.min(to, first + CHUNK - 1)];
      chunk.style.setProperty('--lines', chunk.lines[1] - first + 1);
      chunks.push(chunk);
      if (isWhole) fill(chunk);
    }
    body.append(...chunks);
    const section = make('div', 'document', heading, body);
    section.setAttribute('role', 'none');
    section.style.setProperty('--lines', to - from + 1);
    blocks.push({section, heading, chunks, isFolded: false});
  });
  output.append(...blocks.map(block => block.section));
  if (observer) blocks.forEach(block => block.chunks.forEach(chunk => observer.observe(chunk)));
  if (!documents.length) output.append(make('p', 'nothing', 'The render has no documents.'));
}
function fold(index, wanted) {
  const block = blocks[index];
  block.isFolded = wanted === undefined ? !block.isFolded : wanted;
  block.section.classList.toggle('folded', block.isFolded);
  block.heading.setAttribute('aria-expanded', String(!block.isFolded));
}

// ---- lines that are shown for a reason ----

let marks = null;
function mark(found, what) {
  const set = new Uint8Array(count + 1), inDocuments = new Set();
  for (const line of found) {
    set[line] = 1;
    inDocuments.add(lineDocument[line]);
  }
  marks = {list: found, set, what};
  output.classList.add('marking');
  blocks.forEach((block, index) => {
    const isShown = inDocuments.has(index);
    block.section.classList.toggle('without', !isShown);
    if (isShown) fold(index, false);
    block.chunks.filter(chunk => chunk.isFull).forEach(chunk => {
      for (const line of chunk.children) line.classList.toggle('hit', set[line.dataset.line] === 1);
    });
  });
  $('marked-count').textContent = found.length
    ? `${lineCount(found.length)} in ${inDocuments.size} of ${documents.length} document${documents.length === 1 ? '' : 's'}`
    : 'No line';
  $('marked-what').textContent = what;
  $('marked').hidden = false;
  if (found.length) reveal(set[selected] ? selected : found[0]);
  legend();
}
function unmark() {
  if (!marks) return;
  marks = null;
  output.classList.remove('marking');
  blocks.forEach(block => block.section.classList.remove('without'));
  $('marked').hidden = true;
  legend();
  if (selected !== null) reveal(selected);
}
// To the next line that is shown, or the one before.
function go(way) {
  if (!marks || !marks.list.length) return;
  const {list} = marks, at = selected === null || selected < 0 ? 0 : selected;
  let next = list.findIndex(line => line > at);
  if (next < 0) next = list.length;
  if (way < 0) next = list[next - 1] === at ? next - 2 : next - 1;
  select(list[(next + list.length) % list.length]);
}

let onlyFile = NONE;
function legend() {
  if (!marks || !marks.what.startsWith('from ')) onlyFile = NONE;
  for (const chip of $('legend').children) chip.setAttribute('aria-pressed', String(Number(chip.dataset.file) === onlyFile));
}
function buildLegend() {
  const files = names.map((_, file) => file).filter(file => fileLines[file]).sort((a, b) => fileLines[b] - fileLines[a]);
  for (const file of files) {
    const chip = button('chip', () => {
      if (onlyFile === file) return unmark();
      onlyFile = file;
      const found = [];
      for (let line = 1; line <= count; line++) if (lineFile[line] === file) found.push(line);
      mark(found, `from ${names[file]}`);
    }, colour(make('i', 'dot'), file), make('span', '', names[file]), make('span', 'size', grouped.format(fileLines[file])));
    chip.dataset.file = file;
    chip.setAttribute('aria-pressed', 'false');
    $('legend').append(chip);
  }
}

// ---- the line that is selected: a line, or -1 - the number of a document ----

let selected = null, remembering = 0;
const idOf = at => at < 0 ? `document-${-1 - at}` : `line-${at}`;
const elementOf = at => {
  if (at === null) return null;
  if (at >= 0) fill(chunkOf(at));
  return $(idOf(at));
};
function choose(element, is) {
  element.classList.toggle('selected', is);
  element.setAttribute('aria-selected', String(is));
}
function reveal(at) {
  const element = elementOf(at);
  if (!element) return;
  const box = element.getBoundingClientRect(), room = output.getBoundingClientRect();
  if (box.top < room.top + 40 || box.bottom > room.bottom - 40) {
    output.scrollTop += box.top - room.top - room.height / 3;
  }
}
function select(at) {
  const before = selected !== null && $(idOf(selected));
  if (before) choose(before, false);
  selected = at;
  if (at >= 0) fold(lineDocument[at], false);
  const element = elementOf(at);
  choose(element, true);
  output.setAttribute('aria-activedescendant', element.id);
  reveal(at);
  // Browsers refuse it when a key is held down.
  clearTimeout(remembering);
  remembering = setTimeout(() => history.replaceState(null, '', at < 0 ? `#D${-1 - at}` : `#L${at}`), 300);
  show('history');
}
const isShown = at => {
  const block = blocks[at < 0 ? -1 - at : lineDocument[at]];
  return block && !block.section.classList.contains('without') && (at < 0 || !block.isFolded);
};
// What stands below, or above.
function beside(at, way) {
  let next = at;
  do {
    if (next < 0) {
      const index = -1 - next;
      next = way > 0 ? spans[index][0] : index > 0 ? spans[index - 1][1] : null;
    } else {
      const index = lineDocument[next], line = next + way;
      if (line >= spans[index][0] && line <= spans[index][1]) next = line;
      else next = way < 0 ? -1 - index : index + 1 < documents.length ? -2 - index : null;
    }
    // Over what is folded or hidden at once.
    if (next !== null && next >= 0 && !isShown(next)) next = way > 0 ? spans[lineDocument[next]][1] : spans[lineDocument[next]][0];
  } while (next !== null && !isShown(next));
  return next;
}
function move(way, times = 1) {
  if (!documents.length) return;
  let at = selected;
  if (at === null) return select(beside(-1, 1) ?? -1);
  for (let turn = 0; turn < times; turn++) at = beside(at, way) ?? at;
  if (at !== selected) select(at);
}

