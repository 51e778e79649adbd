/// A service of a cloud that gives a machine its metadata, which may include credentials, to every local client.
///
/// Providers without a line of their own use 169.254.169.254, among them DigitalOcean, Exoscale, Hetzner, Huawei Cloud,
/// IBM Cloud, OpenStack, UpCloud, Vultr and Yandex Cloud.
package struct MetadataService: Sendable {
  /// Its address, or all addresses that the provider reserves for such services.
  package let block: AddressBlock
  package let provider: String
  /// The page or the program that documents the address.
  package let source: String

  private init(_ block: String, _ provider: String, _ source: String) {
    // A text that is no block is found by a test.
    self.block = (try? AddressBlock(block)) ?? AddressBlock(IPAddress(v4: 0), prefixLength: 32)
    (self.provider, self.source) = (provider, source)
  }

  package static let all: [MetadataService] = [
    MetadataService(
      "169.254.169.254", "most providers",
      "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html"),
    MetadataService(
      "fe80::a9fe:a9fe", "OpenStack, Akamai (Linode)",
      "https://techdocs.akamai.com/cloud-computing/docs/metadata-service-api"),
    MetadataService(
      "169.254.170.2", "Amazon ECS",
      "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-iam-roles.html"),
    MetadataService(
      "169.254.170.23", "Amazon EKS",
      "https://docs.aws.amazon.com/eks/latest/userguide/pod-id-agent-setup.html"),
    // EC2's metadata are at ::254 and the agent of EKS at ::23; its other local services are in this block too.
    MetadataService(
      "fd00:ec2::/32", "Amazon EC2, Amazon EKS",
      "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html"),
    MetadataService(
      "fd20:ce::254", "Google Cloud", "https://cloud.google.com/compute/docs/metadata/querying-metadata"),
    MetadataService(
      "168.63.129.16", "Microsoft Azure",
      "https://learn.microsoft.com/en-us/azure/virtual-network/what-is-ip-address-168-63-129-16"),
    MetadataService(
      "fd00:c1::a9fe:a9fe", "Oracle Cloud",
      "https://github.com/canonical/cloud-init/blob/main/cloudinit/sources/DataSourceOracle.py"),
    MetadataService(
      "192.0.0.192", "Oracle Cloud Classic, Oracle Cloud at Customer",
      "https://docs.oracle.com/en/cloud/cloud-at-customer/occ-get-started/retrieve-predefined-instance-metadata.html"
    ),
    MetadataService(
      "100.100.100.200", "Alibaba Cloud",
      "https://github.com/canonical/cloud-init/blob/main/cloudinit/sources/DataSourceAliYun.py"),
    MetadataService(
      "fd00:100::100:200", "Alibaba Cloud",
      "https://github.com/canonical/cloud-init/pull/6893"),
    MetadataService(
      "169.254.0.23", "Tencent Cloud",
      "https://github.com/DataDog/datadog-agent/blob/main/pkg/util/cloudproviders/tencent/tencent.go"),
    MetadataService(
      "169.254.42.42", "Scaleway",
      "https://github.com/canonical/cloud-init/blob/main/doc/rtd/reference/datasources/scaleway.rst"),
    MetadataService(
      "fd00:42::42", "Scaleway",
      "https://github.com/canonical/cloud-init/blob/main/doc/rtd/reference/datasources/scaleway.rst"),
    MetadataService(
      "fd00:a9fe:a9fe::1", "Akamai (Linode)",
      "https://techdocs.akamai.com/cloud-computing/docs/metadata-service-api"),
  ]

  static let blocks = all.map(\.block)
  /// The IPv4 addresses of the services.
  package static let addressesV4 = Set(all.map(\.block.address).filter { $0.family == .v4 })
}
