{{/* What several parts have in common. */}}

{{- define "bree.image" -}}
{{ .top.Values.images.registry }}{{ .name }}:{{ .top.Values.images.tag | default .top.Chart.AppVersion }}
{{- end }}

{{- define "bree.labels" -}}
app.kubernetes.io/component: {{ .component }}
app.kubernetes.io/part-of: bree
app.kubernetes.io/managed-by: {{ .top.Release.Service }}
helm.sh/chart: {{ .top.Chart.Name }}-{{ .top.Chart.Version }}
{{- end }}

{{/* What is true of every pod; `user` is who it runs as. Services make no settings. */}}
{{- define "bree.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .user }}
  {{- if get . "group" }}
  runAsGroup: {{ .user }}
  {{- end }}
  {{- if get . "files" }}
  fsGroup: {{ .user }}
  {{- end }}
  seccompProfile: {type: RuntimeDefault}
{{- with .top.Values.images.pullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
{{- end }}

{{- define "bree.own" -}}
image: {{ include "bree.image" . }}
imagePullPolicy: {{ .top.Values.images.pullPolicy }}
{{- end }}

{{- define "bree.closed" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end }}

{{- define "bree.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{ toJson . }}
{{- end }}

{{/* A variable out of the secret. */}}
{{- define "bree.kept" -}}
- name: {{ .name }}
  valueFrom: {secretKeyRef: {name: {{ get . "secret" | default .top.Values.secret }}, key: {{ .key }}}}
{{- end }}

{{- define "bree.token" -}}
{{ include "bree.kept" (dict "top" . "name" "BREE_PLATFORM_TOKEN" "key" "platform-token") }}
{{- end }}

{{- define "bree.sentinels" -}}
sentinel-0.sentinel:26379,sentinel-1.sentinel:26379,sentinel-2.sentinel:26379
{{- end }}

{{/* The servers of a store that is a cluster, so many of them. */}}
{{- define "bree.nodes" -}}
{{- range $number := until (int .) }}{{ ternary " " "" (gt $number 0) }}store-{{ $number }}.store{{ end }}
{{- end }}

{{/* Where the store is, and how many more machines have a move before it is acknowledged. */}}
{{- define "bree.store" -}}
{{- $store := .Values.store -}}
{{- if eq $store.kind "external" -}}
{{ include "bree.kept" (dict "top" . "name" "BREE_STORE_URL" "secret" $store.url.name "key" $store.url.key) }}
{{- else -}}
{{ include "bree.kept" (dict "top" . "name" "STORE_PASSWORD" "key" "store-password") }}
{{- if eq $store.kind "sentinel" }}
- {name: BREE_STORE_URL, value: "redis+sentinel://:$(STORE_PASSWORD)@{{ include "bree.sentinels" . }}/bree?sentinel_password=$(STORE_PASSWORD)"}
{{- else if eq $store.kind "cluster" }}
- {name: BREE_STORE_URL, value: "redis+cluster://:$(STORE_PASSWORD)@{{ include "bree.nodes" 6 | replace " " ":6379," }}:6379"}
{{- else }}
- {name: BREE_STORE_URL, value: "redis://:$(STORE_PASSWORD)@store:6379/0"}
{{- end }}
{{- end }}
{{- end }}

{{- define "bree.storeReplicas" -}}
{{- if has .Values.store.kind (list "sentinel" "cluster") }}
- {name: BREE_STORE_REPLICAS, value: "1"}
{{- else if and (eq .Values.store.kind "external") .Values.store.replicas }}
- {name: BREE_STORE_REPLICAS, value: {{ .Values.store.replicas | quote }}}
{{- end }}
{{- end }}

{{/* What tells apart the parts that there are for each broker: nothing, for the first one. */}}
{{- define "bree.nth" -}}
{{ ternary "" (printf "-%d" (int .)) (eq (int .) 1) }}
{{- end }}

{{/* Where some brokers are: `numbers` of them. */}}
{{- define "bree.broker" -}}
{{- $urls := list }}
{{- range .numbers }}
{{- $urls = append $urls (printf "redis://:$(BROKER_PASSWORD)@broker%s:6379/0" (include "bree.nth" .)) }}
{{- end }}
{{- include "bree.kept" (dict "top" .top "name" "BROKER_PASSWORD" "key" "broker-password") }}
- {name: BREE_BROKER_URL, value: {{ join " " $urls | quote }}}
{{- end }}

{{- define "bree.brokers" -}}
{{ include "bree.broker" (dict "top" . "numbers" (untilStep 1 (int (add 1 .Values.broker.count)) 1)) }}
{{- end }}

{{- define "bree.ledger" -}}
{{- $ledger := .Values.ledger -}}
{{- if eq $ledger.kind "own" -}}
{{ include "bree.kept" (dict "top" . "name" "LEDGER_PASSWORD" "key" "ledger-password") }}
- {name: BREE_LEDGER_URL, value: "postgresql://bree:$(LEDGER_PASSWORD)@ledger:5432/bree"}
{{- else if eq $ledger.kind "cnpg" -}}
{{ include "bree.kept" (dict "top" . "name" "BREE_LEDGER_URL" "secret" "ledger-app" "key" "uri") }}
{{- else -}}
{{ include "bree.kept" (dict "top" . "name" "BREE_LEDGER_URL" "secret" $ledger.url.name "key" $ledger.url.key) }}
{{- end }}
{{- end }}

{{/* Waits until the ledger has the schema of this version. */}}
{{- define "bree.awaitLedger" -}}
initContainers:
  - name: await-ledger
    {{- include "bree.own" (dict "top" . "name" "bree-commands") | nindent 4 }}
    command: [await-ledger]
    env:
      {{- include "bree.ledger" . | nindent 6 }}
    resources:
      requests: {cpu: 50m, memory: 96Mi}
      limits: {memory: 256Mi}
    {{- include "bree.closed" . | nindent 4 }}
    volumeMounts:
      - {name: tmp, mountPath: /tmp}
{{- end }}

{{- define "bree.grpcProbes" -}}
startupProbe: {grpc: {port: {{ . }}}, periodSeconds: 2, failureThreshold: 150}
readinessProbe: {grpc: {port: {{ . }}}, periodSeconds: 5, failureThreshold: 2}
livenessProbe: {grpc: {port: {{ . }}}, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6}
{{- end }}

{{/* A service without an address of its own: the pods behind it have one each. */}}
{{- define "bree.pods" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ .component }}-pods
  labels:
    {{- include "bree.labels" . | nindent 4 }}
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector: {app.kubernetes.io/component: {{ .component }}}
  ports:
    - {name: metrics, port: 9100}
{{- end }}

{{- define "bree.budget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .component }}
  labels:
    {{- include "bree.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {app.kubernetes.io/component: {{ .component }}}
{{- end }}

{{/* A claim of a StatefulSet. */}}
{{- define "bree.claim" -}}
volumeClaimTemplates:
  - metadata:
      name: data
    spec:
      accessModes: [ReadWriteOnce]
      {{- with .class }}
      storageClassName: {{ . }}
      {{- end }}
      resources:
        requests: {storage: {{ .size }}}
{{- end }}
