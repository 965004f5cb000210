export function release(root: string, version: string, options?: { test?: (root: string) => unknown; say?: (text: string) => void }): void
export function problemsOf(state: {
  version: string
  changes: string
  changelog: string
  releases: Readonly<Record<string, unknown>>
  tags: readonly string[]
}): string[]
