// The first letter of a character's pinyin, by the browser's own order of Chinese: a character belongs to the last of these that does
// not come after it. No table of characters travels to the browser. Letters and digits stand for themselves.

const firsts = '阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥仨它穵夕丫帀'
const letters = 'abcdefghjklmnopqrstwxyz'
const collator = new Intl.Collator('zh-Hans-CN-u-co-pinyin')

function initialOf(character: string): string {
  if (/[a-z0-9]/i.test(character)) return character.toLowerCase()
  if (!/[\u3400-\u9fff]/.test(character)) return ''
  let found = ''
  for (let i = 0; i < firsts.length; i++) {
    if (collator.compare(character, firsts[i] ?? '') < 0) break
    found = letters[i] ?? ''
  }
  return found
}

const known = new Map<string, string>()

/** Words in which a character is not read as it usually is. */
const otherwise: Readonly<Record<string, string>> = { 行业: 'hy', 增长: 'zz', 银行: 'yh' }
const otherWords = new RegExp(Object.keys(otherwise).join('|'), 'g')

/** 转股溢价率 → `zgyjl`. A character with several readings has its most common one, but for a few words. */
export function initialsOf(text: string): string {
  const before = known.get(text)
  if (before !== undefined) return before
  const plain = text.normalize('NFKC').replace(otherWords, (word) => otherwise[word] ?? word)
  const made = [...plain].map(initialOf).join('')
  known.set(text, made)
  return made
}
