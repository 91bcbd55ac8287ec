// Distinguishes the modules that a file needs at load time from those that its functions need when they run, and loads the latter
// at their first use. Most of the package's code is of the second kind, and V8 parses all code that is loaded.

const isNode = (value) => typeof value?.type === 'string';
const isFunction = ({ type }) => /^(Function|ArrowFunction)/.test(type);

/**
 * Returns the parts of a node that run when the file is loaded: not the bodies of functions, and not the members that a class makes
 * for each object.
 */
function partsAtLoad(node) {
  if (isFunction(node)) return [];
  if (node.type === 'PropertyDefinition' && !node.static) return node.computed ? [node.key] : [];
  if (node.type === 'MemberExpression' && !node.computed) return [node.object];
  if (node.type === 'Property' && !node.computed) return [node.value];
  // A function that is called where it stands runs at once.
  const called = node.type === 'CallExpression' && isFunction(node.callee) ? [node.callee.body] : [];
  return [...called, ...Object.values(node).flat()].filter(isNode);
}

/** The names that run when these statements do. */
function namesAtLoad(statements) {
  const names = new Set();
  const visit = (node) => {
    if (node.type === 'Identifier') names.add(node.name);
    partsAtLoad(node).forEach(visit);
  };
  statements.forEach(visit);
  return names;
}

/**
 * Returns the paths of the modules that a module needs at load time, from its syntax tree. Modules whose names it exports again are
 * included.
 */
export function neededAtLoad({ body }) {
  const names = namesAtLoad(body.filter(({ source }) => !source));
  const isNeeded = ({ type, specifiers }) => type !== 'ImportDeclaration' || specifiers.some(({ local }) => names.has(local.name));
  return body.filter((statement) => statement.source && isNeeded(statement)).map(({ source }) => source.value);
}

/** Returns the path that a statement requires, and the name that it gives to the module. */
function requirement({ expression, declarations: [{ id, init }] = [{}] }) {
  const { callee, arguments: given } = init ?? expression ?? {};
  return callee?.name === 'require' ? { path: given[0].value, name: id?.name } : undefined;
}

const firstName = ({ name, object }) => (object ? firstName(object) : name);

/**
 * Returns the text of a CommonJS file in which modules that it does not need at load time are required later, if `mayWait` allows
 * it for the path. `body` is the file's syntax tree.
 */
export function requiringLater(code, { body }, mayWait) {
  const used = namesAtLoad(body.filter((statement) => !requirement(statement)));
  const edits = [];
  const waiting = new Set();
  for (const statement of body) {
    const { path, name } = requirement(statement) ?? {};
    if (path === undefined || !mayWait(path) || used.has(name)) continue;
    waiting.add(name);
    const put = name === undefined ? '' : `let ${name}$;\nconst ${name} = () => (${name}$ ??= require('${path}'));`;
    edits.push({ ...statement, put });
  }
  const visit = (node, holder) => {
    // `new a().b()` would make an `a`.
    if (node.type === 'NewExpression' && waiting.has(firstName(node.callee))) {
      const { start, end } = node.callee;
      edits.push({ start, end: start, put: '(' }, { start: end, end, put: ')' });
    }
    if (node.type === 'Identifier' && waiting.has(node.name)) {
      if (holder.type !== 'MemberExpression') throw new Error(`${node.name} is a file's name, and another's`);
      if (holder.object === node) edits.push({ start: node.end, end: node.end, put: '()' });
    }
    for (const part of Object.values(node).flat().filter(isNode)) visit(part, node);
  };
  for (const statement of body) if (!requirement(statement)) visit(statement);
  edits.sort((a, b) => b.start - a.start);
  return edits.reduce((text, { start, end, put }) => text.slice(0, start) + put + text.slice(end), code);
}
