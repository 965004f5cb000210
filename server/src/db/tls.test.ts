import { generateKeyPairSync } from 'node:crypto'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certificateOf } from '../../test/stand-ins/certificate.ts'
import { asRoot, nobody } from './binaries.ts'
import { connect, connectProblem } from './connect.ts'
import { type Cluster, clusterOf, ensureCluster, type Running, startPostgres, stopPostgres } from './postgres.ts'

// Elsewhere 127.0.0.1 is the only local address, and the tests need two on the port of the socket.
describe.skipIf(process.platform !== 'linux')('a database behind TLS (skipped: needs two local addresses, as on Linux)', () => {
  const [named, other] = [1, 2].map((last) => `127.88.${process.pid % 250}.${last}`) as [string, string]
  let folder: string
  let cluster: Cluster
  let running: Running | null = null
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'convexa-tls-'))
    cluster = clusterOf(folder)
    await ensureCluster(cluster)
    const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const certificate = certificateOf(pair, Buffer.from([1]), 'database', named)
    const files = {
      'server.crt': certificate,
      'server.key': String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    }
    for (const [name, text] of Object.entries(files)) {
      const file = join(cluster.folder, name)
      writeFileSync(file, text, { mode: 0o600 })
      if (asRoot) chownSync(file, nobody, nobody)
    }
    writeFileSync(join(folder, 'ca.pem'), certificate)
    writeFileSync(join(folder, 'another.pem'), certificateOf(generateKeyPairSync('rsa', { modulusLength: 2_048 }), Buffer.from([2]), 'x'))
    running = await startPostgres(cluster, ['-c', 'ssl=on', '-c', `listen_addresses=${named},${other}`, '-c', 'fsync=off'])
  })
  afterAll(async () => {
    if (running) await stopPostgres(running)
    rmSync(cluster.privateFolder, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  })

  const ask = async (host: string, authority: string) => {
    const url = `postgres://convexa@${host}/postgres?sslmode=verify-full&sslrootcert=${encodeURIComponent(join(folder, authority))}`
    const { pool, session, close } = connect(url, { max: 1 })
    try {
      const inPool = await pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
      const heard = new Promise<string>((resolve) => void session.listen('news', resolve).then(() => pool.query(`notify news, 'here'`)))
      return [inPool.rows[0].ssl, await heard]
    } catch (error) {
      return connectProblem(error)
    } finally {
      await close()
    }
  }

  test('is reached under the name of its certificate, by the pool and by the session', async () => {
    expect(await ask(named, 'ca.pem')).toEqual([true, 'here'])
  })

  test('is refused under another name, and with the certificate of another authority', async () => {
    expect(await ask(other, 'ca.pem')).toMatch(/^数据库的证书没有通过验证（ERR_TLS_CERT_ALTNAME_INVALID）/)
    expect(await ask(named, 'another.pem')).toMatch(/^数据库的证书没有通过验证（\w*SELF_SIGNED\w*）/)
  })
})
