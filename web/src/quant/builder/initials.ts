/** The first character of each letter in the order of pinyin; I, U and V begin no syllable. */
const borders = '阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥仨它穵夕丫帀'
const letters = 'abcdefghjklmnopqrstwxyz'
const order = new Intl.Collator('zh-Hans-CN-u-co-pinyin')
/** Characters with several readings, as they are read in names of factors. */
const read: Readonly<Record<string, string>> = {
  重: 'z',
  行: 'h',
  长: 'c',
  率: 'l',
  量: 'l',
  还: 'h',
  调: 't',
  值: 'z',
  差: 'c',
  数: 's',
  都: 'd',
  强: 'q',
}
const known = new Map<string, string>()

function letterOf(character: string): string {
  if (character < '\u4e00' || character > '\u9fff') return /[a-z0-9]/i.test(character) ? character.toLowerCase() : ''
  const own = read[character] ?? known.get(character)
  if (own) return own
  let letter = ''
  for (let i = borders.length - 1; i >= 0 && !letter; i--) if (order.compare(character, borders[i] ?? '') >= 0) letter = letters[i] ?? ''
  known.set(character, letter)
  return letter
}

/** The initials of a Chinese text: 转股溢价率 → zgyjl. The browser's own order of pinyin knows them. */
export const initialsOf = (text: string): string => [...text].map(letterOf).join('')
