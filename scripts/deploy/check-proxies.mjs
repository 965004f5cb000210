// Rules for the proxies before the apis and before PostgreSQL, as `[what must stand there, what is wrong without it]`.

const caddy = [
  [/flush_interval -1/, 'streams are held back'],
  [/max_size 6MB/, 'a body of more than 6 MB is taken'],
  [/header_up X-Forwarded-For \{remote_host\}/, 'X-Forwarded-For of a client goes through'],
  [/header_up X-Forwarded-Host \{host\}/, 'X-Forwarded-Host of a client goes through'],
  [/request>uri regexp "\/v1\/user\/\[\^\/\]\+\/" "\/v1\/user\/\*\/"/, 'addresses stand in the access log'],
  [/err\.status_code\} == 403`[\s\S]*respond @forbidden 503/, 'a 403 goes out'],
  [/@files path \/assets\/\* \/docs\/\*\s+encode @files zstd gzip/, 'more than files is packed'],
  [/health_uri \/readyz/, 'readiness is not asked'],
]
const nginx = [
  [/listen 443 ssl http2;/, 'no TLS with HTTP/2'],
  [/client_max_body_size 6m;/, 'a body of more than 6 MB is taken'],
  [/map \$uri \$convexa_uri \{[\s\S]*\/v1\/user\/\*\/\$convexa_rest/, 'addresses stand in the access log'],
  [/log_format convexa '(?!.*(\$request\b|\$request_uri|\$http_referer|\$args))/, 'the access log has the whole request'],
  [/error_page 403 =503 @refused;/, 'a 403 goes out'],
  [/limit_conn_status 429;/, 'too many connections are not told as 429'],
  [/gzip off;/, 'more than files is packed'],
]
const nginxProxy = [
  [/proxy_set_header X-Forwarded-For \$remote_addr;/, 'X-Forwarded-For of a client goes through'],
  [/proxy_set_header X-Forwarded-Host \$host;/, 'X-Forwarded-Host of a client goes through'],
  [/proxy_set_header X-Forwarded-Proto \$scheme;/, 'the protocol is not told'],
  [/proxy_buffering off;/, 'streams are held back'],
  [/proxy_read_timeout 75s;/, 'streams are cut before they are heard of'],
]
const haproxy = [
  [/option httpchk OPTIONS \/primary/, 'the primary is not asked for'],
  [/on-marked-down shutdown-sessions/, 'sessions stay at the old primary'],
]

const lacking = (text, rules) => rules.filter(([pattern]) => !pattern.test(text)).map(([, what]) => what)
const appended = (text) => (/proxy_add_x_forwarded_for/.test(text) ? ['X-Forwarded-For is appended to'] : [])

export const caddyFaults = (text) => lacking(text, caddy)
export const nginxFaults = (text) => [...lacking(text, nginx), ...appended(text)]
export const nginxProxyFaults = (text) => [...lacking(text, nginxProxy), ...appended(text)]
export const haproxyFaults = (text) => lacking(text, haproxy)
