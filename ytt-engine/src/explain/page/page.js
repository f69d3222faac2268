// Search, keys, clicks, and the beginning.

// ---- search ----

let lowered = null;
function search(text) {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return unmark();
  const fields = {kind: [], name: [], key: []}, rest = [];
  for (const word of wanted.split(/\s+/)) {
    const found = /^(kind|name|key):(.*)$/.exec(word);
    found ? fields[found[1]].push(found[2]) : rest.push(word);
  }
  const phrase = rest.join(' ');
  lowered ??= lines.map(line => line.toLowerCase());
  const found = [];
  documents.forEach(([title], index) => {
    const lower = title.toLowerCase(), slash = lower.indexOf('/');
    const kind = slash < 0 ? '' : lower.slice(0, slash), name = slash < 0 ? lower : lower.slice(slash + 1);
    if (!fields.kind.every(word => kind.includes(word)) || !fields.name.every(word => name.includes(word))) return;
    const [from, to] = spans[index];
    // Its name stands above the document: the first line is the find.
    const isNamed = phrase === '' ? !fields.key.length : !fields.key.length && lower.includes(phrase);
    for (let line = from; line <= to; line++) {
      if (isSeparator(line)) continue;
      const isFound = (phrase !== '' || fields.key.length) && lowered[line - 1].includes(phrase) &&
        fields.key.every(word => hasKey(line, word));
      if (isFound || (isNamed && line === documents[index][3])) found.push(line);
    }
  });
  mark(found, `match “${text.trim()}”`);
  if (found.length && !marks.set[selected]) select(found[0]);
}
// Is a key that stands on this line like this?
function hasKey(line, word) {
  for (let entry = lineEntry[line]; entry !== NONE && entryLines[entry] === line; entry = parents[entry]) {
    if (entrySteps[entry] >= 0 && texts[entrySteps[entry]].toLowerCase().includes(word)) return true;
  }
  return false;
}

const query = $('query');
let waiting = 0;
query.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => search(query.value), isSmall ? 0 : 200);
});
$('search').addEventListener('submit', event => event.preventDefault());
query.addEventListener('keydown', event => {
  if (event.key === 'Enter') {
    event.preventDefault();
    go(event.shiftKey ? -1 : 1);
  } else if (event.key === 'ArrowDown') {
    event.preventDefault();
    output.focus();
  }
});

// ---- keys and clicks ----

output.addEventListener('click', event => {
  const line = event.target.closest('.line');
  if (line) select(Number(line.dataset.line));
});
output.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const page = Math.max(1, Math.floor(output.clientHeight / 22) - 2);
  const document = selected === null ? 0 : selected < 0 ? -1 - selected : lineDocument[selected];
  const done = {
    ArrowDown: () => move(1), ArrowUp: () => move(-1), PageDown: () => move(1, page), PageUp: () => move(-1, page),
    Home: () => { const first = isShown(-1) ? -1 : beside(-1, 1); if (first !== null) select(first); },
    End: () => { const last = beside(-1 - documents.length, -1); if (last !== null) select(last); },
    ArrowLeft: () => { fold(document, true); select(-1 - document); },
    ArrowRight: () => { fold(document, false); if (selected !== null && selected < 0) move(1); },
    Enter: () => (panel.querySelector('button, summary') ?? panel).focus(),
    ' ': () => { if (selected !== null && selected < 0) fold(document); },
  }[event.key];
  if (!done || !documents.length) return;
  event.preventDefault();
  done();
});
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key === 'Escape') {
    if (query.value || marks) {
      query.value = '';
      unmark();
    }
    output.focus();
  } else if (!isTyping && event.key === '/') {
    event.preventDefault();
    query.focus();
    query.select();
  } else if (!isTyping && event.key === 'n') go(1);
  else if (!isTyping && event.key === 'N') go(-1);
});
const tabs = [...document.querySelectorAll('[role=tab]')];
tabs.forEach((tab, at) => {
  tab.addEventListener('click', () => show(tab.dataset.tab));
  tab.addEventListener('keydown', event => {
    const way = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!way) return;
    const next = tabs[(at + way + tabs.length) % tabs.length];
    next.focus();
    show(next.dataset.tab);
  });
});
$('previous').addEventListener('click', () => go(-1));
$('next').addEventListener('click', () => go(1));
$('clear').addEventListener('click', () => { query.value = ''; unmark(); output.focus(); });

// ---- light, dark and paper ----

const dark = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark';
const drawTheme = () => $('theme').textContent = isDark() ? '☀' : '☾';
$('theme').addEventListener('click', () => {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
  drawTheme();
});
dark.addEventListener('change', drawTheme);
// All that is shown, as far as a printer can be meant to take it.
addEventListener('beforeprint', () => {
  if (isWhole) return;
  let left = 50000;
  blocks.forEach((block, index) => {
    const size = spans[index][1] - spans[index][0];
    if (!isShown(spans[index][0]) || (left -= size) < 0) return;
    block.chunks.forEach(fill);
  });
});

// ---- the beginning ----

function begin() {
  build();
  buildLegend();
  const made = names.filter((_, file) => fileLines[file]).length;
  $('summary').textContent = `${lineCount(count)} in ${grouped.format(documents.length)} ${documents.length === 1 ? 'document' : 'documents'}, made by ${made} ${made === 1 ? 'file' : 'files'}`;
  const sizes = {overlays: overlays.length, values: leaves.length, warnings: warnings.length};
  for (const tab of tabs) {
    const size = sizes[tab.dataset.tab];
    if (size !== undefined) tab.append(make('span', 'size', grouped.format(size)));
  }
  drawTheme();
  show('history');
  const [, kind, number] = /^#([LD])(\d+)$/.exec(location.hash) ?? [];
  if (kind === 'L' && number >= 1 && number <= count && lineDocument[number] !== NONE) select(Number(number));
  if (kind === 'D' && number < documents.length) select(-1 - number);
}
begin();
