const longestName = 50

export const nameTexts = { length: `名称需为1至${longestName}个字符`, taken: '名称已存在' } as const

/** What is wrong with a name that a user gives; null where nothing is. `taken`: names that are there already. */
export function nameSentence(name: string, taken: readonly string[] = []): string | null {
  const own = name.trim()
  if (own === '' || [...own].length > longestName) return nameTexts.length
  return taken.includes(own) ? nameTexts.taken : null
}
