import { expect, it } from 'vitest'
import { isComposing } from './composing.ts'

it.each([
  ['Chromium, before the composition ends', { isComposing: true, keyCode: 13 }, true],
  ['Safari, after it has ended', { isComposing: false, keyCode: 229 }, true],
  ['a key of its own', { isComposing: false, keyCode: 13 }, false],
])('%s', (_what, event, composes) => expect(isComposing(event)).toBe(composes))
