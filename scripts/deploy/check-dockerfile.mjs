// Rules for an image of ours, beside those of dockerfile-utils.
import { validate } from 'dockerfile-utils'

/** `[what must stand there, what is wrong without it]` */
const wanted = [
  [/^FROM \$\{BUILD_IMAGE\} AS build$/m, 'the build stage comes from BUILD_IMAGE'],
  [/^FROM \$\{BASE_IMAGE\} AS run$/m, 'the run stage comes from BASE_IMAGE'],
  [/^USER 10001:10001$/m, 'it runs as user 10001'],
  [/useradd --uid 10001 /, 'its user has a name, which initdb wants'],
  [/^VOLUME \/data$/m, 'data lie in /data'],
  [/^EXPOSE 8080 8090 9464$/m, 'its three ports are named'],
  [/^STOPSIGNAL SIGTERM$/m, 'it is stopped by SIGTERM'],
  [/^HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD \["\/app\/convexa-health"\]$/m, 'its health is asked'],
  [/^ENTRYPOINT \["tini", "--", "\/app\/convexa-role"\]$/m, 'tini is process 1'],
  [/^CMD \["all"\]$/m, 'without a word it is the whole product'],
  ...['version', 'revision', 'licenses', 'source'].map((label) => [
    new RegExp(`org\\.opencontainers\\.image\\.${label}=`),
    `the label ${label} is set`,
  ]),
]

export function dockerfileFaults(text) {
  const said = validate(text).map(({ range, message }) => `line ${range.start.line + 1}: ${message}`)
  const lacking = wanted.filter(([pattern]) => !pattern.test(text)).map(([, what]) => `it does not hold that ${what}`)
  const lines = text.split('\n').map((line, k) => [k + 1, line.trim()])
  const rest = lines.flatMap(([at, line]) => [
    ...(/@sha256:/.test(line) ? [`line ${at}: an image is named by its tag; the release resolves it`] : []),
    ...(/^FROM\s+(?!\$\{)\S+$/.test(line) ? [`line ${at}: an image that no argument names`] : []),
    ...(/^ADD\s/.test(line) ? [`line ${at}: COPY, not ADD`] : []),
    ...(/apt-get (upgrade|dist-upgrade)/.test(line) ? [`line ${at}: an upgrade makes two builds differ`] : []),
    ...(/^ENV .*(SECRET|PASSWORD|TOKEN)/.test(line) ? [`line ${at}: a secret in the image`] : []),
  ])
  const afterUser = lines.slice(lines.findIndex(([, line]) => line.startsWith('USER 10001')) + 1)
  const asRoot = afterUser.filter(([, line]) => /^(USER (root|0)|RUN )/.test(line)).map(([at]) => `line ${at}: a step after the user`)
  return [...said, ...lacking, ...rest, ...asRoot]
}
