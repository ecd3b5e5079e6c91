{{- define "parley.name" -}}
{{- if contains "parley" .Release.Name -}}
{{- .Release.Name | trunc 53 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-parley" .Release.Name | trunc 53 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "parley.selector" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "parley.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{ include "parley.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "parley.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- /* The settings of both the service and the migration: those that the chart decides, then those of the values. */ -}}
{{- define "parley.settings" -}}
{{- $fixed := dict "HOST" "0.0.0.0" "PORT" "3000" "DATA_DIR" "/data" -}}
{{- range $name, $value := merge $fixed .Values.settings }}
- name: {{ $name }}
  value: {{ if kindIs "float64" $value }}{{ int64 $value | quote }}{{ else }}{{ $value | toString | quote }}{{ end }}
{{- end }}
{{- end -}}

{{- define "parley.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "parley.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "parley.volumeMounts" -}}
- name: data
  mountPath: /data
- name: tmp
  mountPath: /tmp
{{- range $at, $name := .Values.secretFiles }}
- name: secret-{{ $at }}
  mountPath: /secrets/{{ $name }}
  readOnly: true
{{- end }}
{{- end -}}

{{- define "parley.volumes" -}}
- name: tmp
  emptyDir: {}
{{- range $at, $name := .Values.secretFiles }}
- name: secret-{{ $at }}
  secret:
    secretName: {{ $name }}
    defaultMode: 0440
{{- end }}
{{- end -}}

{{- define "parley.claim" -}}
{{- if .Values.data.existingClaim -}}
{{- .Values.data.existingClaim -}}
{{- else if or .Values.data.size (eq .Values.database "sqlite") -}}
{{- include "parley.name" . -}}
{{- end -}}
{{- end -}}

{{- define "parley.hostname" -}}
{{- (urlParse .Values.settings.PUBLIC_URL).host | splitList ":" | first -}}
{{- end -}}

{{- define "parley.path" -}}
{{- (urlParse .Values.settings.PUBLIC_URL).path | trimSuffix "/" | default "/" -}}
{{- end -}}
