/** How a provider and its model are called. The demo never poses as a model (decisions 5): it says what it is. */
export const modelWords = (provider: string, model: string): string =>
  provider === 'demo' ? 'demo provider, scripted' : `${model} · ${provider}`
