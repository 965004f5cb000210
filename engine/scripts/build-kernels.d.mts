export function sourceHash(): string
export function bytesModule(): Promise<string>
export function layoutModule(): string
