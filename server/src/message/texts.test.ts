import { expect, test } from 'vitest'
import { codePurposes, type Purpose, wordsOf } from './texts.ts'

const code = (purpose: Purpose) => ({ purpose, code: '482913', seconds: 300 })
const reached = { siteName: '凸度量化', siteUrl: 'https://convexa.example' }

test('a mail that activates brings the link of the page that takes its code', () => {
  expect(wordsOf(reached, code('activate_email')).text).toContain('https://convexa.example/activate-email?code=482913 ')
})

test('no link where nobody said how the site is reached, and none for anything else', () => {
  expect(wordsOf({ ...reached, siteUrl: null }, code('activate_email')).text).not.toContain('http')
  const others = (Object.keys(codePurposes) as Purpose[]).filter((purpose) => purpose !== 'activate_email')
  for (const purpose of others) expect(wordsOf(reached, code(purpose)).text).not.toContain('http')
})
