// Which names of the platform are younger than the browsers of targets.ts, by MDN's compatibility data.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { browsers } from '../targets.ts'

const { api, css, javascript } = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('@mdn/browser-compat-data'), 'utf8'))
const { builtins } = javascript

/** `ios16.4` → ['safari_ios', 16.4]; what shows pages inside Android programs is of Chromium's age too. */
const ages = browsers.map((target) => {
  const [, name, version] = /^([a-z]+)([\d.]+)$/.exec(target)
  return [name === 'ios' ? 'safari_ios' : name, version]
})
const targets = [...ages, ['webview_android', ages.find(([name]) => name === 'chrome')[1]]]

const numberOf = (version) => {
  const [major, minor = 0] = version.replace('≤', '').split('.').map(Number)
  return major * 1000 + minor
}

const isIn = (support, version) =>
  [support ?? []].flat().some(({ version_added: from, version_removed: until, flags, prefix, alternative_name: other }) => {
    if (flags || prefix || other || typeof from !== 'string' || from === 'preview') return false
    return numberOf(from) <= numberOf(version) && (typeof until !== 'string' || numberOf(until) > numberOf(version))
  })

const versionOf = (support) => [support ?? {}].flat()[0]?.version_added || 'never'

/** The targets that lack a feature, with the version that has it: ['chrome 116', …]; empty where all have it or nothing is known. */
export function lacking(feature) {
  const support = feature?.__compat?.support
  if (!support) return []
  return targets.flatMap(([name, version]) => (isIn(support[name], version) ? [] : [`${name} ${versionOf(support[name])}`]))
}

/** What is reached by a global name that is no interface. */
const instances = {
  ...{ caches: 'CacheStorage', cookieStore: 'CookieStore', crypto: 'Crypto', document: 'Document', history: 'History' },
  ...{ indexedDB: 'IDBFactory', localStorage: 'Storage', location: 'Location', navigation: 'Navigation', navigator: 'Navigator' },
  ...{ performance: 'Performance', screen: 'Screen', sessionStorage: 'Storage', visualViewport: 'VisualViewport' },
}

/** An interface, a namespace, or what stands on the window or in a worker: `AbortSignal`, `Intl`, `structuredClone`. */
export const globalOf = (name) => own(builtins, name) ?? own(api, name) ?? own(api.Window, name) ?? own(api.WorkerGlobalScope, name)

/** What `object.name` is where the object is a global, null where MDN has no row of it: `Promise.withResolvers`, `navigator.userActivation`. */
export function memberOf(object, name) {
  const owner = own(builtins, object) ?? own(api, own(instances, object) ?? object)
  return owner ? (own(owner, `${name}_static`) ?? own(owner, name) ?? null) : null
}

const isMember = (name) => !/^(__|@@)|_(event|static|parameter|option)s?$/.test(name)
const owners = new Map()
const events = new Map()
const interfaces = [...Object.entries(api), ...Object.entries(builtins)]
// What comes of an interface that is young itself cannot be called without naming that one, or a young member that gives it.
for (const [interfaceName, members] of interfaces.filter(([, feature]) => lacking(feature).length === 0))
  for (const name of Object.keys(members)) {
    const [table, own] = name.endsWith('_event') ? [events, name.slice(0, -'_event'.length)] : [owners, name]
    if (table === events || isMember(name)) table.set(own, [...(table.get(own) ?? []), [interfaceName, members[name]]])
  }

/**
 * A method of an unknown object: young only where every interface that has one of its name has it too late, since `at`, `has` or `map` are
 * old on most. Gives the interfaces with the targets that lack it, null for what is known to be old or not known at all.
 */
export function youngMethod(name) {
  return youngOf(owners.get(name))
}

function youngOf(known) {
  if (!known?.every(([, feature]) => lacking(feature).length > 0)) return null
  return known.map(([interfaceName, feature]) => `${interfaceName}: ${lacking(feature).join(', ')}`)
}

/** An event by its name, young as a method is. */
export const youngEvent = (name) => youngOf(events.get(name))

/** Style sheets: by property, by keyword of a property, by function, selector (`has`, `popover-open`), at-rule and unit. */
export const propertyOf = (name) => own(css.properties, name)
export const keywordOf = (property, word) => own(css.properties[property], word)
export const selectorOf = (name) => own(css.selectors, name)
export const atRuleOf = (name) => own(css['at-rules'], name)
export const mediaOf = (name) => own(css['at-rules'].media, name)
const functions = new Map()
for (const group of [css.types, ...Object.values(css.types)])
  for (const [name, feature] of Object.entries(group)) if (feature?.__compat && !functions.has(name)) functions.set(name, feature)
export const functionOf = (name) => functions.get(name)
const units = css.types.length
export const unitOf = (unit) => (/^[sld]v(w|h|i|b|min|max)$/.test(unit) ? units.viewport_percentage_units_dynamic : own(units, unit))

/** `constructor` and the like are no rows of the data. */
function own(table, name) {
  return table && name !== '__compat' && Object.hasOwn(table, name) ? table[name] : undefined
}
