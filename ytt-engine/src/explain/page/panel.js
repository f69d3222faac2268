// The panel beside the output: the history of what is selected, overlays, data values, warnings.

const panel = $('panel');
let shownTab = 'history';
function show(tab) {
  if (tab !== shownTab || tab === 'history') panel.scrollTop = 0;
  shownTab = tab;
  for (const each of document.querySelectorAll('[role=tab]')) {
    const is = each.dataset.tab === tab;
    each.setAttribute('aria-selected', String(is));
    each.tabIndex = is ? 0 : -1;
  }
  panel.setAttribute('aria-labelledby', `tab-${tab}`);
  panel.replaceChildren(...{history: historyPanel, overlays: overlaysPanel, values: valuesPanel, warnings: warningsPanel}[tab]());
}

const note = (...inside) => make('p', 'note', ...inside);

function historyPanel() {
  if (selected === null) {
    const keys = [['↑ ↓', 'from line to line'], ['← →', 'fold and unfold a document'], ['/', 'search'],
      ['n  N', 'next and previous line that is marked'], ['Enter', 'into this panel'], ['Esc', 'show everything']];
    return [
      make('p', 'lead', 'Choose a line of the output: its history stands here, the newest step first.'),
      note('A click on a place shows all lines that it made.'),
      make('dl', 'keys', ...keys.flatMap(([key, what]) => [make('dt', '', make('kbd', '', key)), make('dd', '', what)])),
    ];
  }
  return selected < 0 ? documentPanel(-1 - selected) : linePanel(selected);
}
function documentPanel(index) {
  const [name, file] = documents[index], [from, to] = spans[index];
  const found = new Map();
  for (let line = from; line <= to; line++) {
    if (lineFile[line] !== NONE) found.set(lineFile[line], [...found.get(lineFile[line]) ?? [], line]);
  }
  const files = [...found].sort(([, a], [, b]) => b.length - a.length);
  return [
    make('p', 'where', file),
    make('h2', 'subject', name),
    make('h3', '', 'Made by'),
    ...files.map(([file, list]) => make('div', 'item', button('place', () => mark(list, `from ${names[file]} in ${name}`),
      colour(make('i', 'dot'), file), make('span', '', names[file]), make('span', 'size', lineCount(list.length))))),
  ];
}
function linePanel(line) {
  const path = pathOf(line), list = historyOf(line);
  const head = make('header', 'head',
    make('p', 'where', documents[lineDocument[line]][0], make('span', 'at', `line ${line}`)),
    make('h2', 'subject', path === '' ? 'the document' : make('span', 'path', ...crumbs(line))));
  return [head, make('ol', 'history', ...list.map(step => make('li', 'step', ...stepView(step)))),
    list.length ? null : note('Nothing was recorded of it.')].filter(Boolean);
}
// The path, with places where a line may be broken.
const crumbs = line => {
  const path = pathOf(line), last = stepsTo(line).pop();
  const end = last < -1 ? `[${-2 - last}]` : quoted(texts[last]);
  const parts = path.slice(0, path.length - end.length).split(/(?<=[.\]])/);
  return [...parts.flatMap(part => [part, make('wbr')]), make('b', '', end)];
};
function stepView(step, isNested = false) {
  const shape = form(step), place = shape[PLACE];
  const isRemoval = shape[OPERATION] !== NONE && texts[shape[OPERATION]] === 'remove';
  const parts = [make('div', 'told',
    make('span', 'value', isRemoval ? 'removed' : stepValue(step)),
    make('span', 'said', texts[shape[SAID]]))];
  parts[0].firstChild.classList.toggle('gone', isRemoval);
  if (shape[OPERATION] !== NONE && !isNested && shape[MATCHES] > 0) {
    const matcher = shape[MATCHER] === NONE ? '' : texts[shape[MATCHER]];
    parts.push(make('div', 'matcher', make('span', 'operation', texts[shape[OPERATION]]),
      shape[MATCHES] === 1 ? '1 match' : `${shape[MATCHES]} matches`, matcher && make('code', '', matcher)));
  }
  if (place !== NONE) {
    if (!isNested) parts.push(placeButton(place, undefined, undefined, shape[FLAG]));
    // A flag stands there as it was typed.
    if (shape[FLAG] === NONE) parts.push(excerpt(place, isNested ? 0 : 2));
  } else if (shape[FLAG] !== NONE) {
    parts.push(make('span', 'at', texts[shape[FLAG]]));
  }
  if (isNested) return parts.filter(Boolean);
  for (const call of calls(step)) {
    parts.push(make('div', 'called', make('span', 'label', 'called at'), placeButton(call), excerpt(call, 0)));
  }
  const set = shape[NAMES] === NONE ? [] : namesSet[shape[NAMES]];
  for (let at = 0; at < set.length; at += 2) {
    parts.push(make('div', 'taken set', make('span', 'label', 'set'), make('code', '', texts[set[at]]), placeButton(set[at + 1])));
  }
  const {inExpression, inScope, own, around} = reads(step);
  for (const [label, numbers] of [['took', own], ['in scope', around.filter(number => data.taken[number][0])]]) for (const number of numbers) {
    const [words, file, call] = data.taken[number];
    parts.push(make('div', words ? 'taken' : 'taken returned', make('span', 'label', words ? label : 'returned at'), words ? make('b', '', words) : null,
      file === NONE ? null : placeButton(file), call === NONE ? null : placeButton(call)));
  }
  for (const id of inExpression) parts.push(valueView(id));
  if (inScope.length) {
    const all = make('details', 'scope', make('summary', '', 'in scope: ',
      inScope.length === 1 ? '1 data value' : `${inScope.length} data values`));
    all.append(...inScope.slice(0, 200).map(id => make('div', 'item', valueName(id))));
    if (inScope.length > 200) all.append(note(`and ${inScope.length - 200} more`));
    parts.push(all);
  }
  return parts.filter(Boolean);
}
const markValue = id => mark(linesOfValue(id), `depend on data value ${values[id][0]}`);
const valueName = id => {
  const shown = button('data-value', () => markValue(id), make('b', '', values[id][0]), make('span', 'value', texts[values[id][1]]));
  shown.title = 'Show the lines that depend on it';
  return shown;
};
const originsOf = id => values[id][4] === NONE ? [] : histories[values[id][4]];
function valueSteps(id) {
  return originsOf(id).map(step => {
    const place = form(step)[PLACE];
    const shown = place === NONE ? null
      : placeButton(place, () => linesOfValue(id), `depend on data value ${values[id][0]}`, form(step)[FLAG]);
    const [told, ...rest] = stepView(step, true);
    return make('li', 'step', told, shown, ...rest);
  });
}
// A data value that an expression read; of a map or list what it holds.
function valueView(id) {
  const block = make('div', 'read', make('div', 'label', 'data value'), valueName(id));
  if (values[id][3]) {
    block.append(make('ol', 'history nested', ...valueSteps(id)));
    return block;
  }
  const leaves = [];
  for (let inner = id + 1; inner < values[id][2]; inner++) if (values[inner][3]) leaves.push(inner);
  block.append(...leaves.slice(0, 12).map(inner => make('div', 'item', valueName(inner))));
  if (leaves.length > 12) block.append(note(`and ${leaves.length - 12} more`));
  return block;
}

// Items of overlays by their places: what each changed, what it removed, and those that changed nothing.
const overlays = (() => {
  const items = new Map(), matchesAt = new Map(data.tried.map(([place, , , matches]) => [place, matches]));
  const itemOf = shape => {
    const key = shape[MATCHED] !== NONE ? shape[MATCHED] : itemPlace(shape);
    if (!items.has(key)) items.set(key, {place: key, matcher: NONE, matches: 0, lines: 0, changes: new Map()});
    const item = items.get(key);
    if (shape[MATCHER] !== NONE) item.matcher = shape[MATCHER];
    item.matches = matchesAt.get(key) ?? shape[MATCHES];
    return item;
  };
  const changeOf = (item, shape) => {
    const key = `${itemPlace(shape)} ${shape[OPERATION]}`;
    if (!item.changes.has(key)) item.changes.set(key, {place: itemPlace(shape), operation: shape[OPERATION], lines: 0, removed: []});
    return item.changes.get(key);
  };
  const used = new Float64Array(histories.length);
  for (let line = 1; line <= count; line++) if (lineHistory[line - 1] !== NONE && !isSeparator(line)) used[lineHistory[line - 1]]++;
  histories.forEach((list, number) => {
    if (!used[number]) return;
    const seen = new Set();
    for (const step of list) {
      const shape = form(step);
      if (shape[OPERATION] === NONE) continue;
      const item = itemOf(shape), change = changeOf(item, shape);
      for (const each of [item, change]) {
        if (!seen.has(each)) each.lines += used[number];
        seen.add(each);
      }
    }
  });
  for (let at = 0; at < data.removed.length; at += 2) {
    const shape = form(data.removed[at]);
    if (shape[OPERATION] !== NONE) changeOf(itemOf(shape), shape).removed.push(texts[data.removed[at + 1]]);
  }
  // What changed nothing is the row of itself.
  for (const [place, operation, matcher, matches, changes] of data.tried) {
    if (changes || place === NONE || items.has(place)) continue;
    const change = {place, operation, lines: 0, removed: []};
    items.set(place, {place, matcher, matches, lines: 0, changes: new Map([[NONE, change]])});
  }
  const order = (a, b) => placeSource(a.place) - placeSource(b.place) || placeLine(a.place) - placeLine(b.place);
  return [...items.values()].filter(item => item.place !== NONE).sort(order);
})();
const gone = removed => removed === 0 ? 'changed nothing' : removed === 1 ? 'gone' : `${removed} gone`;
function overlaysPanel() {
  if (!overlays.length) return [note('The render has no overlays.')];
  const shown = [];
  let file = NONE;
  for (const item of overlays.slice(0, 500)) {
    const own = fileOf[placeSource(item.place)];
    if (own !== file) shown.push(make('h3', 'file', colour(make('i', 'dot'), own), names[own]));
    file = own;
    const changes = [...item.changes.values()].filter(change => change.place !== NONE).sort((a, b) => placeLine(a.place) - placeLine(b.place));
    const matches = item.matches === 0 ? 'matched nothing' : item.matches === 1 ? '1 match' : `${item.matches} matches`;
    const head = [
      make('span', 'at', `line ${placeLine(item.place)}`),
      item.matcher === NONE ? make('span', 'matcherless', 'without a matcher of its own') : make('code', '', texts[item.matcher]),
      make('span', 'size', item.lines ? `${matches} · ${lineCount(item.lines)}` : matches)];
    const entry = make('article', 'overlay', item.lines
      ? button('overlay-head', () => mark(linesOfOverlay(item.place), `changed by the overlay at ${placeText(item.place)}`), ...head)
      : make('div', 'overlay-head', ...head));
    entry.dataset.place = placeText(item.place);
    const list = make('ul', 'changes', ...changes.slice(0, 60).map(change => {
      const text = (sourceLine(placeSource(change.place), placeLine(change.place)) ?? '').trim();
      const inside = [make('span', 'operation', texts[change.operation]), make('span', 'at', String(placeLine(change.place))), make('code', '', text)];
      const row = change.lines
        ? make('li', '', button('change', () => mark(linesOfItem(change.place), `made by ${placeText(change.place)}`), ...inside, make('span', 'size', lineCount(change.lines))))
        : make('li', '', make('div', 'change', ...inside, make('span', 'size', gone(change.removed.length))));
      row.dataset.place = placeText(change.place);
      return row;
    }));
    if (changes.length > 60) list.append(note(`and ${changes.length - 60} more`));
    entry.append(list);
    shown.push(entry);
  }
  if (overlays.length > 500) shown.push(note(`and ${overlays.length - 500} more`));
  return shown;
}

const leaves = values.map((_, id) => id).filter(id => values[id][3]);
let valueFilter = '';
function valuesPanel() {
  if (!leaves.length) return [note('The render has no data values.')];
  const list = make('div', 'values');
  const isCounted = leaves.length * (count + stepCount) < 2e6;
  const draw = () => {
    const wanted = valueFilter.toLowerCase();
    const found = leaves.filter(id => values[id][0].toLowerCase().includes(wanted) || texts[values[id][1]].toLowerCase().includes(wanted));
    list.replaceChildren(...found.slice(0, 300).map(id => {
      const block = make('details', 'data', make('summary', '', make('span', 'text', make('b', '', values[id][0]), ' ', make('span', 'value', texts[values[id][1]])),
        isCounted ? make('span', 'size', lineCount(linesOfValue(id).length)) : null));
      block.dataset.name = values[id][0];
      block.addEventListener('toggle', () => {
        if (!block.open || block.childElementCount > 1) return;
        const lines = linesOfValue(id);
        block.append(
          lines.length ? button('place', () => markValue(id), 'Show the ', lineCount(lines.length), lines.length === 1 ? ' that depends on it' : ' that depend on it') : note('No line of the output depends on it.'),
          make('ol', 'history nested', ...valueSteps(id)));
      });
      return block;
    }));
    if (found.length > 300) list.append(note(`and ${found.length - 300} more`));
  };
  draw();
  if (leaves.length <= 15) return [list];
  const filter = make('input', 'filter');
  Object.assign(filter, {type: 'search', placeholder: `Filter ${leaves.length} data values`, value: valueFilter});
  filter.setAttribute('aria-label', 'Filter data values by name or value');
  filter.addEventListener('input', () => { valueFilter = filter.value; draw(); });
  return [filter, list];
}

function warningsPanel() {
  if (!warnings.length) return [note('The render has no warnings.')];
  return warnings.map(([code, message, place]) => make('article', 'warning', make('p', '', make('code', 'operation', code), ' ', message),
    place === NONE ? null : placeButton(place), place === NONE ? null : excerpt(place)));
}

