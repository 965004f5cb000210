/** The last line. `missing`: the program that each skipped check lacked. A skipped check is never among those that were checked. */
export function closingLine({ checked, faulty, missing }) {
  const skipped = missing.length === 0 ? '' : `；未找到 ${[...new Set(missing)].join('、')}，跳过 ${missing.length} 项`
  return `已检查 ${checked} 项${faulty === 0 ? '' : `，${faulty} 项有错误`}${skipped}`
}
