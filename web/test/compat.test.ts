import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { parse } from 'acorn'
import { describe, expect, it, test } from 'vitest'
import { filled } from '../scripts/compat/guarded.mjs'
import { built, lineOf, measure } from '../scripts/compat.mjs'
import { browsers } from '../scripts/targets.ts'

// `npm test` builds before it tests: a bundle that is missing is a fault, never a reason to skip.
if (!built) throw new Error('web/dist is missing: build it with `node scripts/prepare.mjs --web`')

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

describe('the built files', () => {
  const { rows, unfilled, idle } = measure()

  it('use nothing that a supported browser lacks, but what is guarded', () => {
    expect(rows.length).toBeGreaterThan(30)
    expect(rows.filter(({ why }) => why === null).map(lineOf)).toEqual([])
  })

  it('bring into each worker what it needs', () => expect(unfilled).toEqual([]))

  it('have all that the list of guards names', () => expect(idle).toEqual([]))
})

describe('a file with a young call fails', () => {
  const young = (files: Record<string, string>) => measure(files).rows.flatMap(({ name, why }) => (why === null ? [name] : []))

  test.each([
    ['const d = Promise.withResolvers()', ['Promise.withResolvers']],
    ['globalThis.scheduler.postTask(f)', ['scheduler']],
    ['new URLPattern({})', ['URLPattern']],
    ['if (text.isWellFormed()) f()', ['.isWellFormed()']],
    ['f(map.values().filter((x) => x))', ['iterator.filter()']],
    ['await Array.fromAsync(list)', ['Array.fromAsync']],
    ['f(Map.groupBy(list, key))', ['Map.groupBy']],
    ['document.querySelector("input:user-invalid")', [':user-invalid']],
    ['element.style.background = "color-mix(in srgb, var(--x) 4%, red)"', ['color-mix()']],
    ['element.addEventListener("beforetoggle", f)', ['event beforetoggle']],
    // What is old, what only looks young, and what a file has of its own.
    ['f(list.at(-1), list.findLast(g), structuredClone(x), Object.hasOwn(x, y), map.values(), Object.values(x).filter(g))', []],
    ['class URLPattern {} new URLPattern()', []],
    ['const scheduler = f(); scheduler.run()', []],
  ])('%s', (text, names) => expect(young({ 'a.js': text })).toEqual(names))

  test.each([
    ['.a{color:color-mix(in srgb,var(--x),red)}', ['color-mix()']],
    ['.a{color:light-dark(red,blue)}', ['light-dark()']],
    ['.a{field-sizing:content}', ['field-sizing', 'field-sizing: content']],
    ['.a:user-invalid{color:red}', [':user-invalid']],
    ['@starting-style{.a{opacity:0}}', ['@starting-style']],
    ['.a{width:1rcap}', ['1rcap']],
    ['.a{display:grid;height:1dvh}.a:has(b)::backdrop{inset:0}@media (hover:none){.a{color:red}}', []],
    ['@supports (color:color-mix(in srgb,red,red)){.a{color:color-mix(in srgb,var(--x),red)}}', []],
  ])('%s', (text, names) => expect(young({ 'a.css': text })).toEqual(names))

  it('syntax that the build should have lowered, too', () => {
    expect(() => young({ 'a.js': 'f(/[a--b]/v)' })).toThrow('a.js: Invalid regular expression flag')
    expect(() => young({ 'a.js': 'using x = f()' })).toThrow('a.js')
  })

  it('a worker brings its own', () => {
    const page = 'new Worker(new URL(`/assets/w-1.js`, `` + import.meta.url), {type: `module`})'
    const uses = 'f(list.toSorted())'
    expect(measure({ 'a.js': page, 'w-1.js': uses }).unfilled).toEqual(['w-1.js: .toSorted()'])
    expect(measure({ 'a.js': page, 'w-1.js': `const o = {toSorted(e) {}};${uses}` }).unfilled).toEqual([])
    expect(measure({ 'a.js': `${page};${uses}`, 'w-1.js': '' }).unfilled).toEqual([])
  })
})

describe('the script inside the page', () => {
  const script = read('src/browser/start.js')

  it('is ES5, stands in the page, and names the first module and the polyfills', () => {
    expect(() => parse(script, { ecmaVersion: 5 })).not.toThrow()
    const page = read('dist/index.html')
    expect(page).toContain(script)
    expect(page).toMatch(/ id="start" data-entry="\/assets\/index-[\w-]+\.js" data-polyfills="\/assets\/polyfills-[\w-]+\.js">/)
    expect(page).not.toContain('<script type="module" crossorigin src="/assets')
  })

  it('tries :has(), which styles are full of: a rule that names it is no rule where it is unknown', () => {
    const uses = globSync('src/**/*.css', { cwd: fileURLToPath(new URL('..', import.meta.url)) }).flatMap(
      (file) => read(file).match(/:has\(/g) ?? [],
    )
    expect(uses.length).toBeGreaterThan(30)
    expect(script).toContain("CSS.supports('selector(:has(a))')")
  })

  it('names the browsers of the build, as the READMEs do', () => {
    const version = (name: string) => browsers.find((one) => one.startsWith(name))?.slice(name.length)
    expect(version('ios')).toBe(version('safari'))
    const sentence = `Chrome ${version('chrome')}、Edge ${version('edge')}、Safari ${version('safari')}、Firefox ${version('firefox')} 或更新版本`
    expect(script).toContain(`浏览器版本过旧，请用 ${sentence}打开`)
    expect(read('../README.zh-CN.md')).toContain(sentence)
    for (const name of ['chrome', 'edge', 'safari', 'firefox'])
      expect(read('../README.md')).toContain(`${name[0]?.toUpperCase()}${name.slice(1)} ${version(name)}`)
  })

  /** What start.js writes and says in a browser of this making. */
  function started(lacks: (globals: Record<string, unknown>) => void) {
    const globals: Record<string, unknown> = createContext({ written: '', told: '' })
    runInContext(browser, globals)
    lacks(globals)
    runInContext(script, globals)
    return { written: String(globals['written']), told: String(globals['told']) }
  }
  const take = (code: string) => (globals: Record<string, unknown>) => runInContext(code, globals as never)
  const module = (src: string) => `<script type="module" crossorigin src="${src}"></script>`

  it('writes the first module alone where nothing is missing', () => {
    expect(started(() => {})).toEqual({ written: module('entry.js'), told: '' })
  })

  const removals: Record<(typeof filled)[number], string> = {
    'AbortSignal.any': 'delete AbortSignal.any',
    'URL.canParse': 'delete URL.canParse',
    '.toReversed()': 'delete Array.prototype.toReversed',
    '.toSorted()': 'delete Array.prototype.toSorted',
  }
  it.each(filled)('writes the polyfills first where %s is missing', (name) => {
    expect(started(take(removals[name] ?? ''))).toEqual({ written: `${module('polyfills.js')}${module('entry.js')}`, told: '' })
  })

  it.each([
    ['modules', 'modules = false'],
    [':has()', 'CSS.supports = () => false'],
    ['CSS.supports', 'CSS = undefined'],
    ['signDisplay: negative', 'Intl = { NumberFormat: class { constructor() { throw new RangeError() } } }'],
    ['looking behind', 'RegExp = () => { throw new SyntaxError() }'],
  ])('writes nothing and says which browsers where %s is missing', (_, code) => {
    const { written, told } = started(take(code))
    expect(written).toBe('')
    expect(told).toMatch(/^浏览器版本过旧，请用 Chrome 109、Edge 109、Safari 16.4、Firefox 128 或更新版本打开/)
  })
})

/** As much of a browser as the script asks for, all of it new. */
const browser = `
  var modules = true
  var element = () => ({
    get firstChild() { return null },
    appendChild(child) { if (child.text) told += child.text + ' '; return child },
    setAttribute() {},
    getAttribute: (name) => ({ 'data-entry': 'entry.js', 'data-polyfills': 'polyfills.js' })[name],
  })
  var document = {
    documentElement: element(), body: element(), readyState: 'complete',
    getElementById: (id) => (id === 'root' ? null : element()),
    createElement: (tag) => (tag === 'script' && modules ? { noModule: false } : element()),
    createTextNode: (text) => ({ text }),
    write(text) { written += text },
  }
  var localStorage = { getItem: () => null }
  var matchMedia = () => ({ matches: false })
  var CSS = { supports: () => true }
  var AbortSignal = { any() {} }
  var URL = { canParse() {} }
  var window = { addEventListener() {} }
  var setTimeout = () => {}
`
