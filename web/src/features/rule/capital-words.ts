/** 万元 as `10 万元`, `2.85 万元`, `1,800 元`. */
export function capitalWords(wan: number): string {
  const yuan = Math.round(wan * 10_000)
  if (Math.abs(yuan) < 10_000) return `${yuan.toLocaleString('zh-CN')} 元`
  return `${Number(wan.toFixed(2)).toLocaleString('zh-CN', { maximumFractionDigits: 2 })} 万元`
}
