// What a built style sheet uses that the supported browsers lack.
import postcss from 'postcss'
import { atRuleOf, functionOf, keywordOf, lacking, mediaOf, propertyOf, selectorOf, unitOf } from './features.mjs'

/**
 * Young properties, keywords, functions, units, selectors and at-rules: [['text-wrap', ['chrome 114', …]], ['color-mix()', …]].
 * What stands in an @supports block is there for the browsers that have it.
 */
export function youngInStyle(text) {
  const found = new Map()
  const note = (name, lacks) => lacks.length > 0 && found.set(name, lacks)
  postcss.parse(text).walk((node) => {
    if (isGuarded(node)) return
    if (node.type === 'rule' && !isFrame(node))
      for (const [, colons, name] of node.selector.matchAll(/(::?)([a-z-]+)/g)) note(colons + name, lacking(selectorOf(name)))
    if (node.type === 'atrule') {
      note(`@${node.name}`, lacking(atRuleOf(node.name)))
      if (node.name === 'media')
        for (const [, name] of node.params.matchAll(/\(\s*(?:min-|max-)?([a-z-]+)/g)) note(`@media (${name})`, lacking(mediaOf(name)))
    }
    if (node.type !== 'decl') return
    const { prop, value } = node
    if (!prop.startsWith('--') && !isPrefixed(node)) note(prop, lacking(propertyOf(prop)))
    for (const [name, lacks] of youngInValue(value)) note(name, lacks)
    for (const [word] of bare(value).matchAll(/(?<![\w#.-])-?[a-z][a-z-]*(?![\w(-])/g))
      note(`${prop}: ${word}`, lacking(keywordOf(prop, word)))
  })
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Functions and units of a value; `everywhere` false for a text that may be anything, where a bare name such as `if(` says nothing. */
export function youngInValue(value, { everywhere = true } = {}) {
  const found = []
  for (const [, name] of bare(value).matchAll(/(?<![\w.$-])([a-z][a-z-]*)\(/g)) {
    const lacks = everywhere || name.includes('-') ? lacking(functionOf(name)) : []
    if (lacks.length > 0) found.push([`${name}()`, lacks])
  }
  if (everywhere)
    for (const [, unit] of bare(value).matchAll(/(?<![\w#-])[\d.]+([a-z]+)\b/g)) {
      const lacks = lacking(unitOf(unit))
      if (lacks.length > 0) found.push([`1${unit}`, lacks])
    }
  return found
}

const bare = (value) => value.replace(/"[^"]*"|'[^']*'|url\([^)]*\)/g, '""')

function isGuarded(node) {
  for (let at = node.parent; at; at = at.parent) if (at.type === 'atrule' && at.name === 'supports') return true
  return false
}

const isFrame = ({ parent }) => parent.type === 'atrule' && /keyframes$/.test(parent.name)

/** The build adds prefixed declarations where a target needs them: `-webkit-user-select` beside `user-select`. */
const isPrefixed = ({ prop, parent }) =>
  parent.nodes.some((other) => other.type === 'decl' && /^-(webkit|moz)-/.test(other.prop) && other.prop.endsWith(`-${prop}`))
