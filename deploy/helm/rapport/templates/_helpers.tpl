{{- define "rapport.name" -}}
{{- if contains "rapport" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-rapport" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "rapport.selector" -}}
app.kubernetes.io/name: rapport
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "rapport.labels" -}}
{{ include "rapport.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "rapport.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ default (include "rapport.name" .) .Values.serviceAccount.name }}{{ else }}{{ default "default" .Values.serviceAccount.name }}{{ end }}
{{- end }}

{{- define "rapport.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}{{ end }}
{{- end }}

{{/* The settings that all processes share. Secrets are files (docs/operators/configuration.md). */}}
{{- define "rapport.env" -}}
- { name: DATABASE_URL_FILE, value: /run/secrets/rapport/database-url }
- { name: AUTH_SECRET_FILE, value: /run/secrets/rapport/auth-secret }
- { name: SECRETS_KEY_FILE, value: /run/secrets/rapport/secrets-key }
{{- range .Values.optionalSecretKeys }}
- { name: {{ . | upper | replace "-" "_" }}_FILE, value: /run/secrets/rapport/{{ . }} }
{{- end }}
- { name: PORT, value: "3000" }
- { name: DATABASE_POOLER, value: {{ .Values.database.pooler | quote }} }
- { name: BASE_URL, value: {{ .Values.baseUrl | quote }} }
- { name: TRUST_PROXY, value: {{ if .Values.trustProxy }}{{ .Values.trustProxy | quote }}{{ else }}"false"{{ end }} }
{{- with .Values.files.s3 }}
{{- if .bucket }}
- { name: S3_BUCKET, value: {{ .bucket | quote }} }
- { name: S3_REGION, value: {{ .region | quote }} }
{{- if .endpoint }}
- { name: S3_ENDPOINT, value: {{ .endpoint | quote }} }
{{- end }}
- { name: S3_ACCESS_KEY_ID_FILE, value: /run/secrets/rapport/s3-access-key-id }
- { name: S3_SECRET_ACCESS_KEY_FILE, value: /run/secrets/rapport/s3-secret-access-key }
{{- end }}
{{- end }}
{{- range $name, $value := .Values.env }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "rapport.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "rapport.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "rapport.mounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
- { name: secrets, mountPath: /run/secrets/rapport, readOnly: true }
{{- end }}

{{/* In an emptyDir each pod has other files, and they are lost with it, after their uploads were acknowledged. */}}
{{- define "rapport.requirePlaceForFiles" -}}
{{- if not .Values.files.s3.bucket }}
{{- if not .Values.files.ephemeral }}
{{- fail "files would be lost with each pod: set files.s3.bucket, or files.existingClaim to a claim that all pods can mount; an installation that may lose its files sets files.ephemeral=true and api.replicas=1" }}
{{- end }}
{{- if or (ne (int .Values.api.replicas) 1) .Values.api.autoscaling.enabled }}
{{- fail "files.ephemeral=true needs api.replicas=1 and no api.autoscaling: each pod has other files" }}
{{- end }}
{{- end }}
{{- end }}

{{- define "rapport.volumes" -}}
- name: data
{{- if .Values.files.existingClaim }}
  persistentVolumeClaim:
    claimName: {{ .Values.files.existingClaim }}
{{- else }}
{{- include "rapport.requirePlaceForFiles" . }}
  emptyDir: {}
{{- end }}
- name: tmp
  emptyDir: {}
- name: secrets
  secret:
    secretName: {{ .Values.secret }}
    defaultMode: 0440
{{- end }}

{{- define "rapport.placement" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Pods of a part on different nodes, where there are enough. */}}
{{- define "rapport.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "rapport.selector" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* Of the API and of workers: both answer on one port. */}}
{{- define "rapport.probes" -}}
ports:
  - { name: http, containerPort: 3000 }
# Not /readyz: a pod that starts while the database is away or read-only answers /healthz, and waits. Two minutes for
# the first connection, migrations and cells.
startupProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 60
readinessProbe:
  httpGet: { path: /readyz, port: http }
  periodSeconds: 5
  timeoutSeconds: 3
# Not /readyz: a database that is away is no reason to start the process again.
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}

{{/* All addresses of one kind, IPv4 or IPv6, without the exceptions of that kind. */}}
{{- define "rapport.network" -}}
{{- $kind := contains ":" .cidr }}
{{- $except := list }}
{{- range .except }}
{{- if eq (contains ":" .) $kind }}
{{- $except = append $except . }}
{{- end }}
{{- end -}}
- ipBlock:
    cidr: {{ .cidr | quote }}
    {{- with $except }}
    except: {{- toYaml . | nindent 6 }}
    {{- end }}
{{- end }}
