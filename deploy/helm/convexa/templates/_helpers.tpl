{{- define "convexa.name" -}}
{{- if contains "convexa" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-convexa" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "convexa.labels" -}}
app.kubernetes.io/name: convexa
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "convexa.allLabels" -}}
{{ include "convexa.labels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end }}

{{- define "convexa.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "convexa.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (include "convexa.name" .) }}
{{- end }}

{{- /* Settings of every role. */ -}}
{{- define "convexa.env" -}}
- name: SITE_URL
  value: {{ .Values.siteUrl | quote }}
- name: SECRET_KEY
  valueFrom: { secretKeyRef: { name: {{ .Values.secret.existing }}, key: secret-key } }
- name: DATABASE_URL
  valueFrom: { secretKeyRef: { name: {{ .Values.database.urlSecret.name }}, key: {{ .Values.database.urlSecret.key }} } }
{{- with .Values.database.directUrlSecret }}
{{- if .name }}
- name: DATABASE_DIRECT_URL
  valueFrom: { secretKeyRef: { name: {{ .name }}, key: {{ .key }} } }
{{- end }}
{{- end }}
- name: STORE_URL
  value: {{ .Values.store.url | quote }}
{{- with .Values.store.existingSecret }}
- name: STORE_ACCESS_KEY_ID
  valueFrom: { secretKeyRef: { name: {{ . }}, key: access-key-id } }
- name: STORE_SECRET_ACCESS_KEY
  valueFrom: { secretKeyRef: { name: {{ . }}, key: secret-access-key } }
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "convexa.envFrom" -}}
{{- with .Values.settingsFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "convexa.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "convexa.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "convexa.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{- /* Mounts of every role; the folder of data holds nothing that another pod needs. */ -}}
{{- define "convexa.mounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- end }}
