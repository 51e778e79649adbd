import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

class Fetch {
  public static void main(String[] urls) throws Exception {
    var client = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    for (var url : urls) {
      var request = HttpRequest.newBuilder(URI.create(url)).build();
      System.out.println(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }
  }
}
