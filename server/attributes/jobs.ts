export async function purgeDeletedAttributes(): Promise<void> {}
