// What the checks ask of one source file, from one parse and one walk over its syntax tree. Offsets count UTF-16 units.
// A file takes about half a millisecond, and no types are worked out.
import { parseSync } from 'oxc-parser'
import { isKernel } from './paths.mjs'

/**
 * @returns {{
 *   text: string,
 *   imports: { from: string, at: number, dynamic: boolean, names: string[] }[],
 *   literals: { text: string, at: number, key: string | null }[],
 *   keys: { name: string, at: number }[],
 *   comparisons: { name: string, value: string | number, at: number }[],
 *   switches: { name: string, exhaustive: boolean, values: (string | number)[], at: number }[],
 *   fallbacks: { name: string, at: number }[],
 *   declarations: { name: string, kind: string, at: number }[],
 *   members: { name: string, at: number }[],
 *   comments: { text: string, at: number, end: number }[],
 *   elements: { name: string, classes: string[], at: number }[],
 * }} `declarations` are those of the top level, `members` those of classes, interfaces and object types; `names` of an import are
 *   '*' for all of a module; `fallbacks` are `table[x] ?? x`; a literal's `key` is the property that it is the value of;
 *   `classes` are all words of an element's className
 */
export function factsOf(path, text) {
  const facts = {
    text,
    imports: [],
    literals: [],
    keys: [],
    comparisons: [],
    switches: [],
    fallbacks: [],
    declarations: [],
    members: [],
    comments: [],
    elements: [],
  }
  // AssemblyScript: its syntax is not TypeScript's everywhere.
  if (isKernel(path)) return facts
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0].message}`)
  for (const { value, start, end } of comments) facts.comments.push({ text: value, at: start, end })
  for (const statement of program.body) declare(facts, statement)
  walk(facts, program.body, null)
  return facts
}

/** Notes the names that a statement of the top level declares. */
function declare(facts, statement) {
  const one = /^Export(Named|Default)/.test(statement.type) ? statement.declaration : statement
  if (!one) return
  const note = (id, init = null) =>
    id?.type === 'Identifier' && facts.declarations.push({ name: id.name, kind: one.type, at: id.start, init })
  if (one.type === 'VariableDeclaration') for (const { id, init } of one.declarations) note(id, init)
  else if (one.id) note(one.id)
}

function walk(facts, node, parent) {
  if (Array.isArray(node)) {
    for (const each of node) if (each !== null && typeof each === 'object') walk(facts, each, parent)
    return
  }
  visit[node.type]?.(facts, node, parent)
  for (const key in node) {
    const child = node[key]
    if (child !== null && typeof child === 'object') walk(facts, child, node)
  }
}

const nameIn = (node) => node?.name ?? node?.value ?? null
const keyOf = (parent) => (parent?.type === 'Property' || parent?.type === 'PropertyDefinition' ? String(nameIn(parent.key)) : null)
const namesIn = (specifiers) =>
  specifiers.map((each) =>
    each.type === 'ImportNamespaceSpecifier' ? '*' : each.type === 'ImportDefaultSpecifier' ? 'default' : nameIn(each.imported),
  )
const member = (facts, { key, start }) => key && facts.members.push({ name: String(nameIn(key)), at: start })

/** The last name of `a.b?.c!`, of a variable its own; null of anything else. */
function calledName(node) {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'MemberExpression') return node.computed ? null : node.property.name
  if (node.type === 'ChainExpression' || node.type === 'TSNonNullExpression' || node.type === 'TSAsExpression')
    return calledName(node.expression)
  return null
}

const visit = {
  ImportDeclaration: (facts, { source, specifiers, start }) =>
    facts.imports.push({ from: source.value, at: start, dynamic: false, names: namesIn(specifiers) }),
  ExportAllDeclaration: (facts, { source, start }) => facts.imports.push({ from: source.value, at: start, dynamic: false, names: ['*'] }),
  ExportNamedDeclaration(facts, { source, specifiers, start }) {
    if (source) facts.imports.push({ from: source.value, at: start, dynamic: false, names: specifiers.map(({ local }) => nameIn(local)) })
  },
  ImportExpression(facts, { source, start }) {
    if (source.type === 'Literal') facts.imports.push({ from: source.value, at: start, dynamic: true, names: ['*'] })
  },
  TSImportType(facts, { source, start }) {
    facts.imports.push({ from: source.value, at: start, dynamic: false, names: ['*'] })
  },
  Literal(facts, { value, start }, parent) {
    if (typeof value === 'string') facts.literals.push({ text: value, at: start, key: keyOf(parent) })
  },
  TemplateLiteral(facts, { quasis, start }, parent) {
    if (quasis.length === 1) facts.literals.push({ text: quasis[0].value.cooked ?? '', at: start, key: keyOf(parent) })
  },
  JSXText: (facts, { value, start }) =>
    facts.literals.push({ text: value, at: start + (value.length - value.trimStart().length), key: null }),
  Property(facts, { key, computed }) {
    if (!computed && key.type === 'Identifier') facts.keys.push({ name: key.name, at: key.start })
  },
  BinaryExpression(facts, { operator, left, right, start }) {
    if (!/^[!=]==?$/.test(operator)) return
    for (const [side, other] of [
      [left, right],
      [right, left],
    ]) {
      if (other.type === 'Literal') facts.comparisons.push({ name: calledName(side), value: other.value, at: start })
    }
  },
  LogicalExpression(facts, { operator, left, right, start }) {
    const key = left.type === 'MemberExpression' && left.computed && left.property.type === 'Identifier' ? left.property.name : null
    if (operator === '??' && key !== null && right.type === 'Identifier' && right.name === key)
      facts.fallbacks.push({ name: key, at: start })
  },
  SwitchStatement(facts, { discriminant, cases, start }) {
    const last = cases.find(({ test }) => test === null)
    const exhaustive = last !== undefined && /"TSSatisfiesExpression".*"TSNeverKeyword"/s.test(JSON.stringify(last.consequent))
    const values = cases.flatMap(({ test }) => (test?.type === 'Literal' ? [test.value] : []))
    facts.switches.push({ name: calledName(discriminant), exhaustive, values, at: start })
  },
  MethodDefinition: member,
  PropertyDefinition: member,
  TSMethodSignature: member,
  TSPropertySignature: member,
  JSXOpeningElement(facts, { name, attributes, start }) {
    const attribute = attributes.find((each) => each.type === 'JSXAttribute' && each.name.name === 'className')
    const classes = attribute?.value ? facts.text.slice(attribute.value.start, attribute.value.end).match(/(?<![\w-])[a-z][\w-]*/g) : null
    facts.elements.push({ name: nameIn(name), classes: classes ?? [], at: start })
  },
}
