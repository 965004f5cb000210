import { createServer } from 'node:net'
import { StartError } from './start-error.ts'

interface Place {
  readonly host: string
  readonly port: number
}

/** Whether we may listen there, asked before anything is started. @throws StartError */
export async function checkPort(place: Place): Promise<void> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(place.port, place.host, resolve)
    })
  } catch (error) {
    throw listenProblem(error, place)
  }
  await new Promise((resolve) => server.close(resolve))
}

/** What listening failed on, as a sentence for the operator; any other error as it is. `of`: what the settings' names begin with. */
export function listenProblem(error: unknown, { host, port }: Place, of: '' | 'METRICS_' = ''): unknown {
  const { code } = error as { code?: string }
  if (code === 'EADDRINUSE') return new StartError(`端口 ${port} 已被占用：请停止占用它的程序，或用环境变量 ${of}PORT 另设端口`)
  if (code === 'EACCES') return new StartError(`没有权限使用端口 ${port}：请用环境变量 ${of}PORT 另设一个 1024 以上的端口`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EINVAL') {
    return new StartError(`环境变量 ${of}HOST 不是本机的地址：“${host}”`)
  }
  return error
}

/** Address for a browser on this machine. */
export function addressOf({ host, port }: Place): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
