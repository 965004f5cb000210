interface Package {
  path: string
  name: string
  version: string
  license: string | undefined
  isTool: boolean
  isOfOneSystem: boolean
}
export function packagesIn(lock: { packages: Record<string, object> }): Package[]
export function foreignLicences(packages: readonly Package[]): string[]
export function noticesOf(packages: readonly Package[]): string
