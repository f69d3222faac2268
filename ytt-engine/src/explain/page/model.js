// What the page shows: the tables of the element #data, whose form data.rs documents, and what can be asked of them.
'use strict';

const $ = id => document.getElementById(id);
const NONE = -1;

// ---- what is shown ----

const data = JSON.parse($('data').textContent);
$('data').remove();
const {texts, forms, readers, values, documents, warnings} = data;
const places = Int32Array.from(data.places);
const steps = Int32Array.from(data.steps);
const lineHistory = Int32Array.from(data.lines);
const lines = data.output.split('\n');
if (lines[lines.length - 1] === '') lines.pop();
data.output = '';
const count = lines.length;
const stepCount = steps.length / 4;

const form = step => forms[steps[step * 4]];
const stepValue = step => texts[steps[step * 4 + 1]];
const placeSource = place => places[place * 5];
const placeLine = place => places[place * 5 + 1];
// Numbers in a row of `forms`.
const SAID = 1, PLACE = 3, OPERATION = 4, MATCHER = 5, MATCHES = 6, MATCHED = 7, FLAG = 8, NAMES = 9, ITEM = 10;

const expressionOf = step => steps[step * 4 + 2];

// Lists that stand behind each other, each with its length in front.
const unpacked = flat => {
  const lists = [];
  for (let at = 0; at < flat.length; at += 1 + flat[at]) lists.push(flat.slice(at + 1, at + 1 + flat[at]));
  return lists;
};
const histories = unpacked(data.histories), scopes = unpacked(data.scopes), namesSet = unpacked(data.names);
// The readers around a step, and how much each had read.
function* around(step) {
  const scope = scopes[steps[step * 4 + 3]];
  for (let at = 0; at < scope.length; at += 2) {
    for (let reader = scope[at], count = scope[at + 1]; reader !== NONE; [, reader, count] = readers[reader]) yield [reader, count];
  }
}
const historyOf = line => lineHistory[line - 1] === NONE || lineHistory[line - 1] === undefined ? [] : histories[lineHistory[line - 1]];

// Entries, and on which lines they stand. Lines count from 1 everywhere, as people count them.
const entryCount = data.entries.length / 3;
const parents = new Int32Array(entryCount), entrySteps = new Int32Array(entryCount), entryLines = new Int32Array(entryCount);
const lineEntry = new Int32Array(count + 2).fill(NONE), lineDocument = new Int32Array(count + 2).fill(NONE);
{
  const open = [];
  let line = 0, filled = 1;
  for (let entry = 0; entry < entryCount; entry++) {
    line += data.entries[entry * 3];
    const depth = data.entries[entry * 3 + 1];
    entryLines[entry] = line;
    entrySteps[entry] = data.entries[entry * 3 + 2];
    parents[entry] = depth > 0 ? open[depth - 1] : NONE;
    open[depth] = entry;
    for (; filled < line; filled++) lineEntry[filled] = entry - 1;
    lineEntry[line] = entry;
    filled = Math.max(filled, line);
    // The line between documents belongs to the one that follows.
    if (depth === 0 && line > 1 && lines[line - 2] === '---') lineEntry[line - 1] = entry;
  }
  for (; filled <= count; filled++) lineEntry[filled] = entryCount - 1;
}
const spans = documents.map(([, , , first, last], number) => {
  const from = first > 1 && lines[first - 2] === '---' ? first - 1 : first;
  for (let line = from; line <= last; line++) lineDocument[line] = number;
  return [from, last];
});
const isSeparator = line => lines[line - 1] === '---' && lineDocument[line] !== NONE && documents[lineDocument[line]][3] === line + 1;

const quoted = key => key === '' || /[.[\]"\n]/.test(key) ? JSON.stringify(key) : key;
const stepsTo = line => {
  const found = [];
  for (let entry = lineEntry[line]; entry !== NONE && parents[entry] !== NONE; entry = parents[entry]) found.push(entrySteps[entry]);
  return found.reverse();
};
const pathOf = line => stepsTo(line).reduce(
  (path, step) => step < -1 ? `${path}[${-2 - step}]` : (path && path + '.') + quoted(texts[step]), '');

// Files, each with a colour that its name decides.
const names = [...new Set(data.sources.map(source => source[0]))].sort();
const fileOf = data.sources.map(source => names.indexOf(source[0]));
const colours = (() => {
  const HUES = 12, taken = new Set();
  return names.map(name => {
    let hash = 7;
    for (const character of name) hash = (hash * 31 + character.codePointAt(0)) >>> 0;
    // First all hues, then all once more in a softer tone.
    const tier = taken.size < HUES ? 0 : HUES;
    let slot = hash % HUES;
    for (let tries = 0; taken.has(slot + tier) && tries < HUES; tries++) slot = (slot + 5) % HUES;
    taken.add(slot + tier);
    return {hue: slot * 30 + 12, soft: tier > 0};
  });
})();
const lineFile = new Int32Array(count + 1).fill(NONE);
const fileLines = new Int32Array(names.length);
for (let line = 1; line <= count; line++) {
  if (isSeparator(line)) continue;
  const [newest] = historyOf(line);
  const place = newest === undefined ? NONE : form(newest)[PLACE];
  if (place === NONE) continue;
  lineFile[line] = fileOf[placeSource(place)];
  fileLines[lineFile[line]]++;
}

const excerpts = data.sources.map(() => null);
const sourceLine = (source, line) => {
  if (!excerpts[source]) {
    const found = excerpts[source] = new Map(), runs = data.sources[source][1];
    for (let at = 0; at < runs.length; at += 2) {
      runs[at + 1].split('\n').forEach((text, more) => found.set(runs[at] + more, text));
    }
  }
  return excerpts[source].get(line);
};

// ---- which lines ----

// Lines with a step that fits.
const linesWith = fits => {
  const known = new Uint8Array(stepCount), hits = new Uint8Array(histories.length), found = [];
  for (let step = 0; step < stepCount; step++) known[step] = fits(step) ? 1 : 0;
  histories.forEach((history, number) => hits[number] = history.some(step => known[step]) ? 1 : 0);
  for (let line = 1; line <= count; line++) if (hits[lineHistory[line - 1]] && !isSeparator(line)) found.push(line);
  return found;
};

// Readers that run inside of a call at this place.
const readersCalledAt = place => {
  const known = new Int8Array(readers.length).fill(-1);
  const inside = reader => {
    const chain = [];
    let found = 0;
    for (let at = reader; at !== NONE; at = readers[at][1]) {
      if (known[at] >= 0) { found = known[at]; break; }
      chain.push(at);
      if (readers[at][3] === place) { found = 1; break; }
    }
    chain.forEach(at => known[at] = found);
    return found;
  };
  readers.forEach((_, reader) => inside(reader));
  return known;
};
const linesMadeAt = place => {
  const called = readersCalledAt(place);
  return linesWith(step => {
    const scope = scopes[steps[step * 4 + 3]];
    return form(step)[PLACE] === place || scope.some((reader, at) => at % 2 === 0 && called[reader] === 1);
  });
};
const linesOfOverlay = place => linesWith(step => form(step)[MATCHED] === place);
// The item of an overlay that made a step; a part of the item has a place of its own.
const itemPlace = shape => shape[ITEM] === NONE ? shape[PLACE] : shape[ITEM];
const linesOfItem = place => linesWith(step => form(step)[OPERATION] !== NONE && itemPlace(form(step)) === place);

// The values of what was read, in order. Of a map and a value in it, the inner one; of one that was taken whole, only this.
// How many items a list has says itself.
const named = reads => {
  const whole = new Map();
  for (const read of reads) if (read >= 0) whole.set(read >> 1, (whole.get(read >> 1) ?? false) || (read & 1) === 1);
  const ids = [...whole.keys()].sort((a, b) => a - b), found = [];
  let until = 0;
  ids.forEach((id, at) => {
    if (id < until) return;
    if (whole.get(id)) until = values[id][2];
    if (whole.get(id) || values[id][5] || at + 1 >= ids.length || ids[at + 1] >= values[id][2]) found.push(id);
  });
  return found;
};
const calls = step => {
  const found = new Map();
  for (const [reader] of around(step)) if (readers[reader][3] !== NONE) found.set(reader, readers[reader][3]);
  return [...found.values()];
};
const reads = step => {
  const expression = expressionOf(step);
  const inExpression = expression === NONE ? [] : named(readers[expression][0]);
  const read = [];
  for (const [reader, count] of around(step)) for (let at = 0; at < count; at++) read.push(readers[reader][0][at]);
  const inScope = named(read).filter(id => !inExpression.includes(id));
  // Files that code read, and texts that it decoded.
  const own = taken(expression === NONE ? [] : readers[expression][0]);
  return {inExpression, inScope, own, around: taken(read).filter(number => !own.includes(number))};
};
const taken = reads => [...new Set(reads.filter(read => read < NONE).map(read => -2 - read))].sort((a, b) => a - b);
// Lines for which a value was read: itself, or what it is in, whole or without anything in that; of lists in any case.
const linesOfValue = value => {
  const chain = [];
  for (let id = value; id >= 0; id--) if (id === value || values[id][2] > value) chain.push(id);
  const result = new Set();
  for (const id of chain) {
    const end = values[id][2], isList = values[id][5];
    // When each reader first took it whole, read it, and read something in it.
    const [whole, own, inner] = [0, 1, 2].map(() => new Float64Array(readers.length).fill(Infinity));
    readers.forEach(([reads], reader) => reads.forEach((read, at) => {
      const other = read < 0 ? NONE : read >> 1;
      const first = other === id ? (read & 1 ? whole : own) : other > id && other < end ? inner : null;
      if (first && first[reader] === Infinity) first[reader] = at;
    }));
    const found = linesWith(step => {
      const expression = expressionOf(step);
      if (expression !== NONE && (whole[expression] < Infinity || (own[expression] < Infinity && (isList || inner[expression] === Infinity)))) return true;
      let isWhole = false, isOwn = false, isInner = false;
      for (const [reader, count] of around(step)) {
        isWhole ||= whole[reader] < count;
        isOwn ||= own[reader] < count;
        isInner ||= inner[reader] < count;
      }
      return isWhole || (isOwn && (isList || !isInner));
    });
    found.forEach(line => result.add(line));
  }
  return [...result].sort((a, b) => a - b);
};
const grouped = new Intl.NumberFormat('en');
const lineCount = number => number === 1 ? '1 line' : `${grouped.format(number)} lines`;
// Counts are told before somebody asks where that takes no time.
const isSmall = count + stepCount < 40000;

