export async function purgeDeletedObjects(): Promise<void> {}
