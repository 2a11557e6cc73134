{{/* The tag or digest, as a part of a name. */}}
{{- define "holdpoint.version" -}}
{{- $digest := .Values.image.digest | trimPrefix "sha256:" | trunc 12 -}}
{{- $digest | default .Values.image.tag | default .Chart.AppVersion | lower | replace "." "-" | replace "_" "-" | trunc 24 | trimSuffix "-" -}}
{{- end }}

{{/* The workers of a version: their Deployment, what scales and what removes it. */}}
{{- define "holdpoint.workers" -}}
{{- $name := printf "%s-worker-%s" .Release.Name (include "holdpoint.version" .) -}}
{{- if gt (len $name) 52 }}{{ fail "The name of the release is too long: it may have 20 characters." }}{{ end -}}
{{ $name }}
{{- end }}

{{- define "holdpoint.activate" -}}
{{ .Release.Name }}-activate-{{ include "holdpoint.version" . }}-{{ .Release.Revision }}
{{- end }}

{{- define "holdpoint.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}

{{/* Takes the context and a component. */}}
{{- define "holdpoint.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: holdpoint
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "holdpoint.labels" -}}
{{- $root := index . 0 -}}
{{ include "holdpoint.selector" . }}
app.kubernetes.io/version: {{ include "holdpoint.version" $root }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ $root.Chart.Name }}-{{ $root.Chart.Version }}
{{- end }}

{{/* What all pods have. */}}
{{- define "holdpoint.pod" -}}
enableServiceLinks: false
terminationGracePeriodSeconds: 30
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* What all containers have. */}}
{{- define "holdpoint.container" -}}
image: {{ include "holdpoint.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{/* A variable from a Secret. Takes the name of the variable and the Secret. */}}
{{- define "holdpoint.secret" -}}
- name: {{ index . 0 }}
  valueFrom:
    secretKeyRef:
      name: {{ index . 1 }}
      key: {{ index . 0 }}
{{- end }}

{{- define "holdpoint.temporalEnv" -}}
- name: TEMPORAL_ADDRESS
  value: {{ .Values.temporal.address | quote }}
- name: TEMPORAL_NAMESPACE
  value: {{ .Values.temporal.namespace | quote }}
{{- with .Values.temporal.apiKeySecret }}
- name: HOLDPOINT_TEMPORAL_API_KEY_FILE
  value: /run/credentials/temporal-key/api-key
{{- end }}
{{- with .Values.temporal.tls }}
{{- if .enabled }}
- name: TEMPORAL_TLS
  value: 'true'
{{- end }}
{{- if .certificateSecret }}
- name: TEMPORAL_TLS_CLIENT_CERT_PATH
  value: /run/credentials/temporal-certificate/tls.crt
- name: TEMPORAL_TLS_CLIENT_KEY_PATH
  value: /run/credentials/temporal-certificate/tls.key
{{- end }}
{{- if .authoritySecret }}
- name: TEMPORAL_TLS_SERVER_CA_CERT_PATH
  value: /run/credentials/temporal-authority/ca.crt
{{- end }}
{{- if .serverName }}
- name: TEMPORAL_TLS_SERVER_NAME
  value: {{ .serverName | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* The Secrets with which to reach Temporal and the database, by the names of their folders in /run/credentials. */}}
{{- define "holdpoint.credentials" -}}
{{- $secrets := dict -}}
{{- with .Values.temporal.apiKeySecret }}{{ $_ := set $secrets "temporal-key" . }}{{ end -}}
{{- with .Values.temporal.tls.certificateSecret }}{{ $_ := set $secrets "temporal-certificate" . }}{{ end -}}
{{- with .Values.temporal.tls.authoritySecret }}{{ $_ := set $secrets "temporal-authority" . }}{{ end -}}
{{- with .Values.database.authoritySecret }}{{ $_ := set $secrets "database" . }}{{ end -}}
{{ toJson $secrets }}
{{- end }}

{{- define "holdpoint.credentialMounts" -}}
{{- range $folder, $_ := include "holdpoint.credentials" . | fromJson }}
- name: {{ $folder }}
  mountPath: /run/credentials/{{ $folder }}
  readOnly: true
{{- end }}
{{- end }}

{{- define "holdpoint.credentialVolumes" -}}
{{- range $folder, $secret := include "holdpoint.credentials" . | fromJson }}
- name: {{ $folder }}
  secret:
    secretName: {{ $secret }}
    defaultMode: 0440
{{- end }}
{{- end }}

{{/* The variables that worker and API have in common. */}}
{{- define "holdpoint.sharedEnv" -}}
{{- range list "DATABASE_URL" "HOLDPOINT_LINK_KEYS" "HOLDPOINT_PUSH_KEYS" "HOLDPOINT_SUBSCRIPTION_SECRETS" }}
{{ include "holdpoint.secret" (list . $.Values.existingSecret) }}
{{- end }}
- name: HOLDPOINT_PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
{{ include "holdpoint.temporalEnv" . }}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{/* Whole Secrets as variables. */}}
{{- define "holdpoint.envFrom" -}}
{{- with .Values.extraSecrets }}
envFrom:
  {{- range . }}
  - secretRef:
      name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{/* The probes of a port. */}}
{{- define "holdpoint.probes" -}}
startupProbe:
  httpGet:
    path: /health
    port: {{ . }}
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet:
    path: /health
    port: {{ . }}
  periodSeconds: 10
  timeoutSeconds: 5
readinessProbe:
  httpGet:
    path: /ready
    port: {{ . }}
  periodSeconds: 2
  timeoutSeconds: 5
{{- end }}

{{/* Pods of a component on different machines, if there are any. */}}
{{- define "holdpoint.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "holdpoint.selector" . | nindent 8 }}
{{- end }}

{{/* Takes the context, a component and the name of its Deployment. */}}
{{- define "holdpoint.autoscaler" -}}
{{- $root := index . 0 -}}
{{- $settings := (index $root.Values (index . 1)).autoscaling -}}
{{- if $settings.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ index . 2 }}
  labels:
    {{- include "holdpoint.labels" . | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ index . 2 }}
  minReplicas: {{ $settings.minReplicas }}
  maxReplicas: {{ $settings.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ $settings.targetCPU }}
{{- end }}
{{- end }}

{{/* Takes the context and a component. */}}
{{- define "holdpoint.budget" -}}
{{- $root := index . 0 -}}
{{- if $root.Values.podDisruptionBudget.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $root.Release.Name }}-{{ index . 1 }}
  labels:
    {{- include "holdpoint.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "holdpoint.selector" . | nindent 6 }}
{{- end }}
{{- end }}
