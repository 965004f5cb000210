/** A copy of a request with the number at `path` changed: `parameters.rank_factors.0.weight`. */
export function withNumber<T extends object>(root: T, path: string, value: number): T {
  const [step = '', ...rest] = path.split('.')
  const inner = (root as Record<string, unknown>)[step]
  const next = rest.length === 0 ? value : withNumber((inner ?? {}) as object, rest.join('.'), value)
  if (!Array.isArray(root)) return { ...root, [step]: next }
  return root.map((one, i) => (i === Number(step) ? next : one)) as unknown as T
}
