// What a built script uses of the platform that the supported browsers lack.
import { parse } from 'acorn'
import { simple } from 'acorn-walk'
import { globalOf, lacking, memberOf, selectorOf, youngEvent, youngMethod } from './features.mjs'
import { youngInValue } from './style.mjs'

/** What the build lowers scripts to: anything later, flags of regular expressions too, is a syntax error here. */
const syntax = { ecmaVersion: 2022, sourceType: 'module' }
const windows = new Set(['window', 'globalThis', 'self', 'frames', 'top', 'parent'])

/**
 * Young globals, members of globals, methods of whatever object and selectors or style functions in strings, with what lacks them:
 * [['Promise.withResolvers', ['chrome 119', …]], ['.toSorted()', …], [':popover-open', …]].
 * Methods that several interfaces share count where all have them late; a global that is declared anywhere in the file counts as its own.
 * @throws SyntaxError for what is no script of the year 2022
 */
export function youngInScript(text) {
  const found = new Map()
  const note = (name, lacks) => lacks?.length > 0 && found.set(name, lacks)
  const tree = parse(text, syntax)
  const declared = new Set()
  const declare = ({ id }) => id && declared.add(id.name)
  const imported = ({ local }) => declared.add(local.name)
  simple(tree, {
    VariablePattern: ({ name }) => declared.add(name),
    Function: declare,
    Class: declare,
    ImportSpecifier: imported,
    ImportDefaultSpecifier: imported,
    ImportNamespaceSpecifier: imported,
    CatchClause: ({ param }) => param?.type === 'Identifier' && declared.add(param.name),
  })
  for (const { specifiers = [] } of tree.body) for (const one of specifiers) if (one.local) declared.add(one.local.name)
  const globalIn = (node) => {
    if (node.type === 'Identifier') return declared.has(node.name) ? null : node.name
    const name = node.type === 'MemberExpression' && nameOf(node)
    return name && node.object.type === 'Identifier' && windows.has(node.object.name) ? name : null
  }
  simple(tree, {
    Identifier: ({ name }) => declared.has(name) || note(name, lacking(globalOf(name))),
    MemberExpression(node) {
      const name = nameOf(node)
      if (!name) return
      const object = globalIn(node.object)
      if (object && windows.has(object)) note(name, lacking(globalOf(name)))
      else if (object && memberOf(object, name)) note(`${object}.${name}`, lacking(memberOf(object, name)))
      else if (isPrototype(node.object, globalIn)) note(`.${name}()`, youngMethod(name))
    },
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'MemberExpression') return
      const name = nameOf(callee)
      const object = globalIn(callee.object)
      if (name && !(object && (windows.has(object) || memberOf(object, name)))) note(`.${name}()`, youngMethod(name))
      if (name && chained.has(name) && isIterator(callee.object)) note(`iterator.${name}()`, lacking(memberOf('Iterator', name)))
      if (name === 'addEventListener' && first) for (const event of stringsOf(first)) note(`event ${event}`, youngEvent(event))
      if (selecting.has(name) && first) for (const text of stringsOf(first)) for (const [of, lacks] of youngSelectors(text)) note(of, lacks)
    },
    Literal: ({ value }) => typeof value === 'string' && styled(value),
    TemplateElement: ({ value }) => styled(value.cooked ?? ''),
  })
  function styled(text) {
    for (const [name, lacks] of youngInValue(text, { everywhere: false })) note(name, lacks)
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1))
}

const selecting = new Set(['matches', 'closest', 'querySelector', 'querySelectorAll'])

function youngSelectors(text) {
  return [...text.matchAll(/::?([a-z][a-z-]*)/g)].flatMap(([written, name]) => {
    const lacks = lacking(selectorOf(name))
    return lacks.length > 0 ? [[written, lacks]] : []
  })
}

const stringsOf = (node) =>
  node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.cooked ?? '') : typeof node.value === 'string' ? [node.value] : []

/** `a.b` and `a['b']`; null for what is computed. */
const nameOf = ({ computed, property }) =>
  computed ? (typeof property.value === 'string' ? property.value : null) : property.type === 'Identifier' ? property.name : null

/** `Array.prototype`, `[]`, `''`: what is read from it is a method, called or asked for. */
const isPrototype = (node, globalIn) =>
  (node.type === 'MemberExpression' && nameOf(node) === 'prototype' && globalIn(node.object) !== null) ||
  (node.type === 'ArrayExpression' && node.elements.length === 0)

/** Methods that arrays have too are young on what an iterator gives: `map.values().filter(…)`. */
const chained = new Set(['drop', 'every', 'filter', 'find', 'flatMap', 'forEach', 'map', 'reduce', 'some', 'take', 'toArray'])
const isIterator = (node) =>
  node.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  ['values', 'keys', 'entries', 'matchAll'].includes(nameOf(node.callee)) &&
  !(node.callee.object.type === 'Identifier' && node.callee.object.name === 'Object')
