export function sourceHash(): string
export function bytesModule(): Promise<string>
