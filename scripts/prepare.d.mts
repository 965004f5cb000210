export declare function prepare(wanted?: { web?: boolean; browser?: boolean; dev?: boolean }): void
