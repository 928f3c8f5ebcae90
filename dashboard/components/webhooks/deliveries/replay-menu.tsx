/** Sends again what failed, or what was never sent. */
export function ReplayMenu({ endpointId }: { endpointId: string }) {
  return <div data-endpoint={endpointId} />
}
