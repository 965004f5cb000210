export declare function bundleFolder(): string | null
export declare function serverEntry(name: 'main' | 'convexa'): string
