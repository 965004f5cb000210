/** A file of a snapshot that is missing, cut short or changed. The snapshot is then not readable at all. */
export class BrokenSnapshot extends Error {
  /** The file, or the snapshot's folder where the manifest is concerned. */
  readonly path: string

  constructor(message: string, path: string) {
    super(`${message}: ${path}`)
    this.path = path
  }
}
