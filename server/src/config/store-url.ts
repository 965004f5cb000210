/** What `STORE_URL` means: where objects lie. */
export type StoreAddress =
  | { readonly kind: 'folder'; readonly folder: string }
  | {
      readonly kind: 's3'
      readonly bucket: string
      /** Begins every key: empty, or with a slash at its end. */
      readonly prefix: string
      /** null: AWS's own for the region. */
      readonly endpoint: string | null
      /** null: the SDK's own chain says it. */
      readonly region: string | null
      /** The bucket stands in the path, not in the host name. */
      readonly pathStyle: boolean
    }

const known = new Set(['endpoint', 'region', 'path_style'])

/** The address, or a sentence that follows the name of the variable. The text is not repeated: it may hold a password by mistake. */
export function readStoreUrl(given: string): { readonly address: StoreAddress } | { readonly problem: string } {
  if (!URL.canParse(given)) return { problem: shape }
  const url = new URL(given)
  if (url.username || url.password) return { problem: '不能包含密钥：请使用 STORE_ACCESS_KEY_ID 与 STORE_SECRET_ACCESS_KEY' }
  if (url.protocol === 'file:') {
    if (url.host !== '' || url.search !== '' || url.hash !== '' || url.pathname === '/') return { problem: shape }
    return { address: { kind: 'folder', folder: decodeURIComponent(url.pathname).replace(/\/+$/, '') } }
  }
  if (url.protocol !== 's3:' || !/^[a-z0-9][a-z0-9._-]{1,62}$/.test(url.hostname) || url.port !== '' || url.hash !== '')
    return { problem: shape }
  const unknown = [...url.searchParams.keys()].find((name) => !known.has(name))
  if (unknown !== undefined) return { problem: `有未知的参数 ${unknown}：只能用 endpoint、region、path_style` }
  const endpoint = url.searchParams.get('endpoint')
  if (endpoint !== null && !isOrigin(endpoint)) return { problem: '的 endpoint 需为 https:// 或 http:// 开头的地址，不含路径与密钥' }
  const path = decodeURIComponent(url.pathname).split('/').filter(Boolean)
  if (path.some((part) => !/^[\w.-]+$/.test(part) || /^\.+$/.test(part))) return { problem: '的路径只能用字母、数字与 . _ -' }
  return {
    address: {
      kind: 's3',
      bucket: url.hostname,
      prefix: path.map((part) => `${part}/`).join(''),
      endpoint: endpoint?.replace(/\/$/, '') ?? null,
      region: url.searchParams.get('region'),
      pathStyle: ['1', 'true', 'on'].includes(url.searchParams.get('path_style') ?? ''),
    },
  }
}

const shape = '需为 file:///目录 或 s3://桶/前缀?endpoint=https://…&region=…&path_style=1 形式的地址'

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, pathname, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && !username && !password && pathname === '/' && !search && !hash
}
