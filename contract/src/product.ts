/** Name of the product, and of a site that has none of its own. */
export const productName = '凸度量化'
