import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

// Chromium before 111 knows no color-mix(). A declaration with var() is never dropped while a style sheet is read: it is found invalid
// when its value is computed, and a plain colour declared before it in the same rule is gone by then. So the mix stands in an @supports
// block over a plain colour; a token or `opacity` does without.

const root = resolve(import.meta.dirname, '..')
const guard = /@supports\s*\(\s*color:\s*color-mix\(/g
const mix = /color-mix\((?:[^()]|\([^()]*\))*var\(/

/** The text without its guarded blocks. */
function unguarded(text: string): string {
  let [rest, from] = ['', 0]
  for (const { index } of text.matchAll(guard)) {
    if (index < from) continue
    rest += text.slice(from, index)
    let [at, depth] = [text.indexOf('{', index) + 1, 1]
    for (; depth > 0 && at < text.length; at++) depth += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0
    from = at
  }
  return rest + text.slice(from)
}

/** Selectors that are mixed in guarded blocks and have no rule before. */
function bare(css: string): string[] {
  return [...css.matchAll(guard)].flatMap(({ index }) => {
    const block = css.slice(css.indexOf('{', index) + 1)
    const selector = block.slice(0, block.indexOf('{')).trim()
    return css.slice(0, index).includes(`${selector} {`) ? [] : [selector]
  })
}

test('color-mix() over variables stands over a plain colour, in a block of its own', () => {
  const sources = globSync('web/src/**/*.{css,ts,tsx}', { cwd: root })
  expect(sources.length).toBeGreaterThan(500)
  const text = (file: string) => readFileSync(join(root, file), 'utf8')
  expect(sources.filter((file) => mix.test(unguarded(text(file))))).toEqual([])
  expect(sources.filter((file) => bare(text(file)).length > 0)).toEqual([])
})

test.each([
  ['a plain colour in the same rule', '.a {\n  color: var(--x);\n  color: color-mix(in srgb, var(--x) 4%, red);\n}', true, []],
  [
    'a guarded block alone',
    '@supports (color: color-mix(in srgb, red, red)) {\n  .a {\n    color: color-mix(in srgb, var(--x), red);\n  }\n}',
    false,
    ['.a'],
  ],
  [
    'a guarded block over its plain colour',
    '.a {\n  color: var(--x);\n}\n@supports (color: color-mix(in srgb, red, red)) {\n  .a {\n    color: color-mix(in srgb, var(--x), red);\n  }\n}',
    false,
    [],
  ],
  ['a mix of constants, which the build computes', '.a {\n  color: color-mix(in srgb, red, blue);\n}', false, []],
])('%s', (_, css, loose, alone) => {
  expect(mix.test(unguarded(css))).toBe(loose)
  expect(bare(css)).toEqual(alone)
})
